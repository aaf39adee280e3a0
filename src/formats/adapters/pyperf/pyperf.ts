import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { parseIsoTime } from '../../../platform/core/text/parse-date.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading, RunReading } from '../../core/format.ts';
import { listOf, objectOf } from '../../core/json-fields.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';

/** `-o FILE` of a pyperf benchmark, `python -m pyperf timeit -o FILE`: https://pyperf.readthedocs.io */
const pyperf: Format = {
  id: 'pyperf',
  title: 'pyperf (-o FILE)',
  recognizes: [
    /^\uFEFF?\s*\{/,
    /"benchmarks"\s*:\s*\[\s*\{\s*"(?:metadata|runs)"\s*:/,
    /"runs"\s*:\s*\[\s*\{\s*"(?:metadata|values|warmups)"\s*:/,
  ],
  read: (text) => readRoot(parseResultJson(text, HINT)),
  readRuns(text) {
    const root = parseResultJson(text, HINT);
    return [{ ...readRoot(root), ...contextOf(objectOf(root)) }];
  },
};

export default pyperf;

const HINT = 'Use the file of "python bench.py -o FILE", unpacked where its name ends in .gz.';

/** Units by their names in pyperf. "integer" is a number of anything. */
const MEASURES: ReadonlyMap<JsonValue, { readonly metric: string; readonly unit: string }> = new Map([
  ['second', { metric: 'time', unit: 's' }],
  ['byte', { metric: 'memory', unit: 'B' }],
  ['integer', { metric: 'value', unit: '' }],
]);

function readRoot(root: JsonValue): FormatReading {
  const benchmarks = listOf(objectOf(root)['benchmarks']);
  if (benchmarks.length === 0)
    throw new NightmarkError('IMPORT_SHAPE', 'There is no list "benchmarks" with at least one entry.', {
      hint: HINT,
    });
  const common = objectOf(objectOf(root)['metadata']);
  const reading = createReading();
  for (const [index, entry] of benchmarks.entries())
    readBenchmark(objectOf(entry), { common, place: `benchmark ${index + 1}` }, reading);
  return reading.finish();
}

interface Place {
  /** What all benchmarks of the file share is written once. */
  readonly common: JsonObject;
  readonly place: string;
}

function readBenchmark(entry: JsonObject, { common, place }: Place, reading: ReadingBuilder): void {
  const { name, unit = 'second' } = { ...common, ...objectOf(entry['metadata']) } as Record<
    string,
    JsonValue
  >;
  const measure = MEASURES.get(unit);
  if (typeof name !== 'string' || measure === undefined) {
    const what = typeof name === 'string' ? `the unit ${showCell(unit)}, which is not known` : 'no "name"';
    reading.failed.push(`${place} has ${what}`);
    return;
  }
  const add = reading.set({ benchmark: [name], ...measure });
  const runs = listOf(entry['runs']).map(objectOf);
  let [values, warmups] = [0, 0];
  for (const [index, run] of runs.entries()) {
    warmups += listOf(run['warmups']).length;
    for (const [number, value] of listOf(run['values']).entries()) {
      values++;
      const where = () => `${name}, run ${index + 1}, value ${number + 1}`;
      if (typeof value === 'number') add(value, where);
      else reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
    }
  }
  if (values === 0) reading.failed.push(`${name} has no values`);
  if (warmups > 0) reading.skipped.push(`${name}: ${counted(warmups, 'value')} of warm-up and calibration`);
}

const FACTS = ['cpu_model_name', 'cpu_count', 'platform', 'python_implementation', 'python_version'];

/** The time is that of the first run, in the time zone of the machine, which is not written: taken as UTC. */
function contextOf(root: JsonObject): Omit<RunReading, keyof FormatReading> {
  const [first = {}] = listOf(root['benchmarks']).map(objectOf);
  const common = { ...objectOf(root['metadata']), ...objectOf(first['metadata']) };
  const [run = {}] = listOf(first['runs']).map(objectOf);
  const date = objectOf(run['metadata'])['date'] ?? common['date'];
  const at = typeof date === 'string' ? parseIsoTime(date) : undefined;
  const name = common['hostname'];
  const facts = Object.fromEntries(
    FACTS.flatMap((fact) => (common[fact] === undefined ? [] : [[fact, common[fact]] as const])),
  );
  return {
    ...(at !== undefined && { at }),
    ...(typeof name === 'string' && name !== '' && { machine: { name, facts } }),
  };
}
