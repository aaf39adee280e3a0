import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading } from '../../core/format.ts';
import { listOf, objectOf } from '../../core/json-fields.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `run({ format: 'json' })` of mitata: https://github.com/evanwashere/mitata */
const mitata: Format = {
  id: 'mitata',
  title: "mitata (format: 'json')",
  recognizes: [
    /^\uFEFF?\s*\{/,
    /"layout"\s*:\s*\[\s*\{\s*"name"\s*:/,
    /"benchmarks"\s*:\s*\[\s*\{/,
    /"runs"\s*:\s*\[\s*\{\s*"(?:stats|error)"\s*:/,
  ],
  read: (text) => readRoot(parseResultJson(text, HINT)),
  readRuns(text) {
    const root = parseResultJson(text, HINT);
    const at = objectOf(objectOf(root)['context'])['now'];
    return [{ ...readRoot(root), ...(typeof at === 'number' && Number.isFinite(at) && { at }) }];
  },
};

export default mitata;

const HINT = `Use what a script of mitata prints with "await run({ format: 'json' })".`;

function readRoot(root: JsonValue): FormatReading {
  const benchmarks = listOf(objectOf(root)['benchmarks']).map(objectOf);
  if (benchmarks.length === 0)
    throw new NightmarkError('IMPORT_SHAPE', 'There is no list "benchmarks" with at least one entry.', {
      hint: HINT,
    });
  const layout = listOf(objectOf(root)['layout']).map(objectOf);
  const reading = createReading();
  for (const [index, { alias, group, runs }] of benchmarks.entries()) {
    const groupName = objectOf(layout[Number(group)])['name'];
    if (typeof alias !== 'string' || listOf(runs).length === 0) {
      reading.failed.push(`benchmark ${index + 1} has no ${typeof alias === 'string' ? 'runs' : '"alias"'}`);
      continue;
    }
    const benchmark = typeof groupName === 'string' && groupName !== '' ? [groupName, alias] : [alias];
    for (const run of listOf(runs)) readRun(run, benchmark, reading);
  }
  return reading.finish();
}

/** The benchmark with one set of arguments. */
function readRun(run: JsonValue, benchmark: readonly string[], reading: ReadingBuilder): void {
  const { stats, error, args, name } = objectOf(run) as Readonly<Record<string, JsonValue | undefined>>;
  // With its arguments in place: "join 10".
  const title = [...benchmark.slice(0, -1), typeof name === 'string' ? name : benchmark.at(-1)].join(' / ');
  if (error !== undefined) {
    const { message } = objectOf(error);
    reading.failed.push(`${title} failed${typeof message === 'string' ? `: ${message.slice(0, 500)}` : ''}`);
    return;
  }
  const key = { benchmark, better: 'lower' as const, settings: settingsOf(args) };
  const { samples, p50, avg, heap } = objectOf(stats) as Readonly<Record<string, JsonValue | undefined>>;
  const single = p50 ?? avg;
  const values = listOf(samples).length > 0 || single === undefined ? listOf(samples) : [single];
  if (values.length === 0) reading.failed.push(`${title} has no samples`);
  const add = reading.set({ ...key, metric: 'time', unit: 'ns' });
  for (const [index, value] of values.entries()) {
    const where = () => `${title}, sample ${index + 1}`;
    if (typeof value === 'number') add(value, where);
    else reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
  }
  const allocated = objectOf(heap)['avg'];
  if (typeof allocated === 'number')
    reading.set({ ...key, metric: 'heap', unit: 'B' })(allocated, () => `${title}: the mean of "heap"`);
}

function settingsOf(args: JsonValue | undefined): SampleSet['settings'] {
  return Object.fromEntries(
    Object.entries(objectOf(args)).map(([name, value]) => [
      name,
      typeof value === 'object' ? showCell(value) : value,
    ]),
  );
}
