import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { parseIsoTime } from '../../../platform/core/text/parse-date.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';

/** `--benchmark-json` and `--benchmark-save`: https://pytest-benchmark.readthedocs.io */
const pytestBenchmark: Format = {
  id: 'pytest-benchmark',
  title: 'pytest-benchmark (--benchmark-json, --benchmark-save)',
  recognizes: [/^\uFEFF?\s*\{/, /"machine_info"\s*:/, /"(?:commit_info|benchmarks)"\s*:/],
  read: (text) => readRoot(parseResultJson(text, HINT)),
  readRuns(text) {
    const root = parseResultJson(text, HINT);
    return [{ ...readRoot(root), ...(isJsonObject(root) && contextOf(root)) }];
  },
};

const HINT =
  'Use the file of "pytest --benchmark-json FILE", or one that --benchmark-save left in .benchmarks.';

function readRoot(root: JsonValue): FormatReading {
  const benchmarks = isJsonObject(root) ? root['benchmarks'] : undefined;
  if (!Array.isArray(benchmarks) || benchmarks.length === 0) {
    throw new NightmarkError('IMPORT_SHAPE', 'There is no list "benchmarks" with at least one entry.', {
      hint: HINT,
    });
  }
  const reading = createReading();
  for (const [index, entry] of (benchmarks as readonly JsonValue[]).entries())
    readBenchmark(entry, `entry ${index + 1}`, reading);
  return reading.finish();
}

function readBenchmark(entry: JsonValue, place: string, reading: ReadingBuilder): void {
  const fields: JsonObject = isJsonObject(entry) ? entry : {};
  const fullName = fields['fullname'] ?? fields['name'];
  const stats = fields['stats'];
  if (typeof fullName !== 'string') {
    reading.failed.push(`${place} has no "fullname"`);
    return;
  }
  const { data, median, mean } = (isJsonObject(stats) ? stats : {}) as Record<string, JsonValue>;
  const single = median ?? mean;
  const values =
    Array.isArray(data) && data.length > 0
      ? (data as readonly JsonValue[])
      : single === undefined
        ? []
        : [single];
  if (values.length === 0) reading.failed.push(`${fullName} has neither "data" nor a median nor a mean`);
  const add = reading.set({ benchmark: pathOf(fullName), metric: 'time', unit: 's', better: 'lower' });
  for (const [index, value] of values.entries()) {
    const where = () => `${fullName}, round ${index + 1}`;
    if (typeof value === 'number') add(value, where);
    else reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
  }
}

/**
 * "tests/test_sort.py::TestBig::test_sort[10]": file, class, test. The brackets name the parameters; "params" would too, but has
 * addresses of objects in it that differ from run to run.
 */
function pathOf(fullName: string): readonly string[] {
  const parts = fullName.split('::').filter((part) => part !== '');
  return parts.length === 0 ? [fullName] : parts;
}

function contextOf(root: JsonObject): Omit<RunReading, keyof FormatReading> {
  const part = (name: string) => (isJsonObject(root[name]) ? root[name] : {}) as Record<string, JsonValue>;
  const [commit, machine] = [part('commit_info'), part('machine_info')];
  const at = typeof root['datetime'] === 'string' ? parseIsoTime(root['datetime']) : undefined;
  const text = (value: JsonValue | undefined) =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const [id, branch, repository] = [commit['id'], commit['branch'], commit['project']].map(text);
  const name = text(machine['node']);
  return {
    ...(at !== undefined && { at }),
    ...(id !== undefined && id !== 'unknown' && { commit: id }),
    ...(branch !== undefined && branch !== '(unknown)' && { branch }),
    ...(repository !== undefined && { repository }),
    ...(name !== undefined && { machine: { name, facts: factsOf(machine) } }),
  };
}

const FACTS = ['machine', 'processor', 'system', 'release', 'python_version', 'python_implementation'];

function factsOf(machine: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(
    FACTS.flatMap((name) => (typeof machine[name] === 'string' ? [[name, machine[name]] as const] : [])),
  );
}

export default pytestBenchmark;
