import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading } from '../../core/reading.ts';
import { addBenchmark } from './benchmark.ts';

/** `results/MACHINE/COMMIT-ENVIRONMENT.json` of airspeed velocity: https://asv.readthedocs.io */
const asv: Format = {
  id: 'asv',
  title: 'asv (results/MACHINE/COMMIT-ENVIRONMENT.json)',
  companions: ['../benchmarks.json'],
  recognizes: (head) =>
    /^\uFEFF?\s*\{/.test(head) &&
    /"commit_hash"\s*:/.test(head) &&
    /"(?:env_name|result_columns)"\s*:/.test(head)
      ? 'sure'
      : 'no',
  read: (text) => readRoot(rootOf(text), {}),
  readRuns(text, beside) {
    const root = rootOf(text);
    const described = parseResultJson(beside['../benchmarks.json'] ?? '{}', HINT);
    return [{ ...readRoot(root, isJsonObject(described) ? described : {}), ...contextOf(root) }];
  },
};

const HINT =
  'Give the results folder of asv, or files MACHINE/COMMIT-ENVIRONMENT.json in it, written by asv 0.5 or newer.';

function rootOf(text: string): JsonObject {
  const root = parseResultJson(text, HINT);
  if (isJsonObject(root) && isJsonObject(root['results']) && Array.isArray(root['result_columns']))
    return root;
  throw new NightmarkError('IMPORT_SHAPE', 'There is no object "results" with "result_columns".', {
    hint: HINT,
  });
}

function readRoot(root: JsonObject, described: JsonObject): FormatReading {
  const reading = createReading();
  const columns = (root['result_columns'] as readonly JsonValue[]).map(String);
  const settings = { ...textOf(root['env_name'], 'env'), ...textOf(paramsOf(root)['machine'], 'machine') };
  const { length } = Object.entries(root['results'] as JsonObject).map(([name, cells]) => {
    if (!Array.isArray(cells)) return reading.failed.push(`${name} has no list of columns`);
    const row = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]));
    const about = isJsonObject(described[name]) ? described[name] : {};
    return addBenchmark({ name, row, about, settings }, reading);
  });
  if (length > 0) return reading.finish();
  throw new NightmarkError('IMPORT_SHAPE', '"results" has no benchmark in it.', { hint: HINT });
}

function textOf(value: JsonValue | undefined, key: string): Readonly<Record<string, string>> {
  return typeof value === 'string' && value !== '' ? { [key]: value } : {};
}

function paramsOf(root: JsonObject): JsonObject {
  return isJsonObject(root['params']) ? root['params'] : {};
}

/** The date is that of the commit: histories of asv are often measured backwards. */
function contextOf(root: JsonObject): Omit<RunReading, keyof FormatReading> {
  const { commit_hash: commit, date } = root as Record<string, JsonValue>;
  const { machine: name, ...facts } = paramsOf(root) as Record<string, JsonValue>;
  return {
    ...(typeof date === 'number' && { at: date }),
    ...(typeof commit === 'string' && commit !== '' && { commit }),
    ...(typeof name === 'string' && name !== '' && { machine: { name, facts } }),
  };
}

export default asv;
