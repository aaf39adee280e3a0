import { DATA_KEYS } from '../../../formats/core/sample-data.ts';
import { atPath, type DataEntry, sortEntries, timestampMs } from '../../../kit/core/data-series.ts';
import { pythonExponential } from '../../../platform/core/python/python-format.ts';
import { isJsonObject, type JsonObject } from '../../../platform/core/text/json.ts';
import { pings } from './slack-messages.ts';

/** A series whose newest value is more than one standard deviation away from the mean of those before. */
export interface SdAlert {
  readonly path: readonly string[];
  readonly value: number;
  readonly mean: number;
  readonly sd: number;
}

const DAY_MS = 86_400_000;

/**
 * The old rule, known to be noisy: two of three steady series are within one standard deviation, the third raises an alert. The
 * paths are those of the newest entry; what an earlier one does not have counts as no value.
 */
export function sdAlerts(entries: readonly DataEntry[], windowDays = 0): readonly SdAlert[] {
  const sorted = sortEntries(entries);
  const current = sorted.at(-1);
  if (!current || sorted.length < 2) return [];
  const now = timestampMs(current.timestamp);
  const past = sorted
    .slice(0, -1)
    .filter(
      ({ timestamp }) => windowDays < 1 || Math.floor((now - timestampMs(timestamp)) / DAY_MS) <= windowDays,
    );
  return [...numbersIn(current, [])].flatMap(({ path, value }) => {
    const before = past.map((entry) => atPath(entry, path)).filter(isNumber);
    if (before.length === 0) return [];
    const mean = meanOf(before);
    // The form that numpy has: other formulas differ in the last digit, which decides about a value exactly on the border.
    const sd = Math.sqrt(meanOf(before.map((x) => (x - mean) * (x - mean))));
    return Math.abs(value - mean) > sd ? [{ path, value, mean, sd }] : [];
  });
}

export interface AlertedExperiment {
  readonly title: string;
  readonly alerts: readonly SdAlert[];
}

/** report.json; undefined when nothing is to be reported. */
export function sdReport(
  experiments: readonly AlertedExperiment[],
  notify: readonly string[],
): JsonObject | undefined {
  const alerted = experiments.filter(({ alerts }) => alerts.length > 0);
  if (alerted.length === 0) return undefined;
  const attention = notify.length === 0 ? '' : `ATTN: ${pings(notify)}\n`;
  const parts = alerted.map(({ title, alerts }) => `Alerts for ${title}:\n${alerts.map(lineOf).join('')}`);
  return { title: 'High SD Alerts', value: `${attention}${parts.join('')}` };
}

function lineOf({ path, value, mean, sd }: SdAlert): string {
  const [now, before, spread] = [value, mean, sd].map((it) => pythonExponential(it, 2));
  return `    (${path.join(', ')}): ${now} (mean: ${before} +/- ${spread})\n`;
}

interface FoundNumber {
  readonly path: readonly string[];
  readonly value: number;
}

/** The numbers of a data entry without its metadata, in the order of the file. */
export function* numbersIn(entry: JsonObject, path: readonly string[]): Generator<FoundNumber> {
  for (const [key, value] of Object.entries(entry)) {
    if (DATA_KEYS.has(key)) continue;
    if (isNumber(value)) yield { path: [...path, key], value };
    else if (isJsonObject(value)) yield* numbersIn(value, [...path, key]);
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function meanOf(values: readonly number[]): number {
  return pairwiseSum(values, 0, values.length) / values.length;
}

/** Added as numpy adds, so that borders fall where they fell: eight sums side by side up to 128 values, halves beyond. */
function pairwiseSum(values: readonly number[], from: number, count: number): number {
  const at = (index: number) => values[from + index] ?? 0;
  if (count < 8) {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += at(index);
    return sum;
  }
  if (count > 128) {
    const half = Math.floor(count / 2) - (Math.floor(count / 2) % 8);
    return pairwiseSum(values, from, half) + pairwiseSum(values, from + half, count - half);
  }
  const lanes = [0, 1, 2, 3, 4, 5, 6, 7].map(at);
  const whole = count - (count % 8);
  for (let index = 8; index < whole; index++) lanes[index % 8] = (lanes[index % 8] ?? 0) + at(index);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = lanes;
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let index = whole; index < count; index++) sum += at(index);
  return sum;
}
