import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `results/MACHINE/COMMIT-ENVIRONMENT.json` of airspeed velocity: https://asv.readthedocs.io */
const asv: Format = {
  id: 'asv',
  title: 'asv (results/MACHINE/COMMIT-ENVIRONMENT.json)',
  companions: ['../benchmarks.json'],
  recognizes: [/^\uFEFF?\s*\{/, /"commit_hash"\s*:/, /"(?:env_name|result_columns)"\s*:/],
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

interface Benchmark {
  readonly name: string;
  /** Its columns by name; those that were cut off are null. */
  readonly row: JsonObject;
  /** What benchmarks.json says about it; empty where it is missing. */
  readonly about: JsonObject;
  /** Of the whole file: asv keeps series apart by machine and environment. */
  readonly settings: SampleSet['settings'];
}

/** Adds the values of one benchmark, one set for each combination of its parameters. */
function addBenchmark({ name, row, about, settings }: Benchmark, reading: ReadingBuilder): void {
  const version = about['version'];
  if (typeof version === 'string' && typeof row['version'] === 'string' && row['version'] !== version) {
    reading.skipped.push(`${name} is of another version of the benchmark`);
    return;
  }
  const combinations = combine(listsOf(row['params']), namesOf(about));
  const results = row['result'];
  if (!Array.isArray(results)) {
    reading.failed.push(`${name} has no result`);
    return;
  }
  for (const [index, result] of (results as readonly JsonValue[]).entries()) {
    const own = combinations(index);
    const where = () => [name, ...Object.entries(own).map(([key, value]) => `${key}=${value}`)].join(' ');
    const key = {
      benchmark: name.split('.'),
      metric: METRIC,
      unit: unitOf(name, about),
      settings: { ...own, ...settings },
    };
    addResult({ result, samples: itemOf(row['samples'], index), where, add: reading.set(key) }, reading);
  }
}

interface Cell {
  readonly result: JsonValue;
  readonly samples: JsonValue | undefined;
  readonly where: () => string;
  readonly add: (value: number, where: () => string) => void;
}

/** null: it failed. NaN: it does not apply to these parameters. */
function addResult({ result, samples, where, add }: Cell, reading: ReadingBuilder): void {
  const raw = Array.isArray(samples) ? samples.filter((value) => typeof value === 'number') : [];
  if (result === null) reading.failed.push(`${where()} failed`);
  else if (typeof result !== 'number') reading.failed.push(`${where()} is ${showCell(result)}, not a number`);
  else if (Number.isNaN(result)) reading.skipped.push(`${where()} was skipped`);
  else for (const value of raw.length > 0 ? raw : [result]) add(value, where);
}

/** One for all, so that the place of a series does not depend on which other benchmarks were run. */
const METRIC = 'value';

/** Without benchmarks.json the name decides: asv chooses the kind by its beginning. */
function unitOf(name: string, about: JsonObject): string {
  const given = about['unit'];
  if (typeof given === 'string' && given !== 'unit') return given;
  const kind = /(?:^|\.)(time|peakmem|mem)[^.]*$/i.exec(name)?.[1]?.toLowerCase();
  return kind === undefined ? '' : kind === 'time' ? 'seconds' : 'bytes';
}

function listsOf(params: JsonValue | undefined): readonly (readonly JsonValue[])[] {
  return Array.isArray(params)
    ? (params as readonly JsonValue[]).map((list) => (Array.isArray(list) ? list : []))
    : [];
}

function namesOf(about: JsonObject): readonly string[] {
  const names = about['param_names'];
  return Array.isArray(names) ? names.map(String) : [];
}

/** All combinations in order, the last parameter changing fastest. */
function combine(lists: readonly (readonly JsonValue[])[], names: readonly string[]) {
  return (index: number): Readonly<Record<string, string>> => {
    let rest = index;
    const chosen = lists
      .map((list, place) => [names[place] ?? `param${place + 1}`, list] as const)
      .toReversed()
      .map(([name, list]) => {
        const size = Math.max(1, list.length);
        const value = list[rest % size];
        rest = Math.floor(rest / size);
        return [name, typeof value === 'string' ? value : showCell(value ?? null)] as const;
      });
    return Object.fromEntries(chosen.toReversed());
  };
}

function itemOf(list: JsonValue | undefined, index: number): JsonValue | undefined {
  return Array.isArray(list) ? (list as readonly JsonValue[])[index] : undefined;
}
