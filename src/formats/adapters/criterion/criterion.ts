import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Companions, Format, FormatReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, requireNumbers } from '../../core/reading-builder.ts';

/** `target/criterion/GROUP/FUNCTION/VALUE/new/estimates.json` of criterion.rs, one benchmark a file. */
const criterion: Format = {
  id: 'criterion',
  title: 'criterion.rs (estimates.json)',
  recognizes: [
    /^\uFEFF?\s*\{/,
    /"median_abs_dev"\s*:\s*\{\s*"confidence_interval"/,
    /"std_dev"\s*:\s*\{\s*"confidence_interval"/,
  ],
  read: (text) => readOne(text, { names: [], beside: {} }),
  readRuns: (text, beside, path) => [readOne(text, { names: namesOf(beside, path), beside })],
  companions: ['benchmark.json', 'sample.json'],
};

export default criterion;

const HINT =
  'Name target/criterion, or files GROUP/FUNCTION/new/estimates.json in it; those of "change" hold differences.';

interface Benchmark {
  readonly names: readonly string[];
  readonly beside: Companions;
}

function readOne(text: string, { names, beside }: Benchmark): FormatReading {
  const root = parseResultJson(text, HINT);
  const estimate = pointOf(isJsonObject(root) && 'std_dev' in root ? root['median'] : undefined);
  if (estimate === undefined)
    throw new NightmarkError('IMPORT_SHAPE', 'It has no estimate of the median of a time.', { hint: HINT });
  const reading = createReading();
  const add = reading.set({ benchmark: names, metric: 'time', unit: 'ns', better: 'lower' });
  const times = samplesOf(beside['sample.json']);
  if (times.length === 0) {
    reading.skipped.push('sample.json is not beside it: its median is taken as one value');
    add(estimate, () => '"median.point_estimate"');
  }
  for (const [index, time] of times.entries()) add(time, () => `sample ${index + 1}`);
  return requireNumbers(reading.finish(), HINT);
}

function pointOf(value: JsonValue | undefined): number | undefined {
  const point = isJsonObject(value) ? value['point_estimate'] : undefined;
  return typeof point === 'number' ? point : undefined;
}

/** The time of one iteration in each sample; none where the file is not as criterion writes it. */
function samplesOf(text: string | undefined): readonly number[] {
  const { iters, times } = fieldsOf(text);
  if (!Array.isArray(iters) || !Array.isArray(times) || iters.length !== times.length) return [];
  const each = times.map((time, index) => Number(time) / Number(iters[index]));
  return each.every(Number.isFinite) ? each : [];
}

/** Group, function and parameter: as benchmark.json has them, else the folders between "criterion" and "new". */
function namesOf(beside: Companions, path: string): readonly string[] {
  const { group_id: group, function_id: name, value_str: value } = fieldsOf(beside['benchmark.json']);
  const known = [group, name, value].filter((one) => typeof one === 'string' && one !== '');
  if (typeof group === 'string') return known as readonly string[]; // texts, as filtered
  const folders = path.split('/').slice(0, -2);
  const root = folders.lastIndexOf('criterion');
  return root < 0 ? folders.slice(-3).filter((one) => one !== '') : folders.slice(root + 1);
}

/** A file beside the results that is not as it should be is no reason to refuse them. */
function fieldsOf(text: string | undefined): Readonly<Record<string, JsonValue>> {
  try {
    const value = text === undefined ? {} : (JSON.parse(text) as JsonValue);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
