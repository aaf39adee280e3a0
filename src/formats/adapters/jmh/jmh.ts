import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `-rf json`: https://github.com/openjdk/jmh */
const jmh: Format = {
  id: 'jmh',
  title: 'JMH (-rf json)',
  recognizes: [/^\uFEFF?\s*\[\s*\{/, /"benchmark"\s*:/, /"(?:jmhVersion|primaryMetric)"\s*:/],
  read(text) {
    const root = parseResultJson(text, HINT);
    if (!Array.isArray(root) || root.length === 0) {
      throw new NightmarkError('IMPORT_SHAPE', 'It is not a list with at least one benchmark.', {
        hint: HINT,
      });
    }
    const reading = createReading();
    for (const [index, entry] of (root as readonly JsonValue[]).entries())
      readEntry(entry, `entry ${index + 1}`, reading);
    return reading.finish();
  },
};

const HINT = 'Use the file of "java -jar benchmarks.jar -rf json -rff FILE".';

function readEntry(entry: JsonValue, place: string, reading: ReadingBuilder): void {
  const fields: JsonObject = isJsonObject(entry) ? entry : {};
  const { benchmark: name, mode, threads } = fields as Record<string, JsonValue>;
  if (typeof name !== 'string' || name === '') {
    reading.failed.push(`${place} has no "benchmark"`);
    return;
  }
  const settings = {
    ...settingsOf(fields['params']),
    ...(typeof mode === 'string' && { mode }),
    ...(typeof threads === 'number' && threads !== 1 && { threads }),
  };
  const benchmark = name.split('.').filter((part) => part !== '');
  readMetric(fields['primaryMetric'], {
    name,
    key: { benchmark, settings },
    isRate: mode === 'thrpt',
    reading,
  });
  const others = fields['secondaryMetrics'];
  for (const [metric, value] of Object.entries(isJsonObject(others) ? others : {}))
    readMetric(value, {
      name: `${name}, ${metric}`,
      key: { benchmark: [...benchmark, metric], settings },
      // What is allocated in a second is a cost.
      ...(/\balloc\.rate\b|\bchurn\b/.test(metric) && { isRate: false }),
      reading,
    });
}

interface MetricPlace {
  readonly name: string;
  readonly key: Pick<SampleSet, 'benchmark' | 'settings'>;
  /** Absent: the unit decides. */
  readonly isRate?: boolean;
  readonly reading: ReadingBuilder;
}

/**
 * All have one metric, "score", so that the place of a series does not depend on which profilers were at work. Iterations of all forks are the samples; a histogram has no separate ones, so its
 * score stands in.
 */
function readMetric(metric: JsonValue | undefined, { name, key, isRate, reading }: MetricPlace): void {
  const { scoreUnit, score, rawData } = (isJsonObject(metric) ? metric : {}) as Record<string, JsonValue>;
  const unit = typeof scoreUnit === 'string' ? scoreUnit : '';
  const rate = isRate ?? (unit.startsWith('ops/') ? true : undefined);
  const add = reading.set({
    ...key,
    metric: 'score',
    unit,
    ...(rate !== undefined && { better: rate ? 'higher' : 'lower' }),
  });
  const raw = Array.isArray(rawData) ? (rawData as readonly JsonValue[]).flat() : [];
  if (raw.length === 0 && score === undefined)
    reading.failed.push(`${name} has neither "rawData" nor "score"`);
  const values = raw.length > 0 ? raw : score === undefined ? [] : [score];
  if (raw.length === 0 && score !== undefined)
    reading.skipped.push(`${name} has no iterations: its score is taken as one value`);
  for (const [index, value] of (values as readonly JsonValue[]).entries()) {
    const where = () => `${name}, iteration ${index + 1}`;
    if (typeof value === 'number') add(value, where);
    else reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
  }
}

function settingsOf(params: JsonValue | undefined): SampleSet['settings'] {
  if (!isJsonObject(params)) return {};
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'object' ? showCell(value) : value,
    ]),
  );
}

export default jmh;
