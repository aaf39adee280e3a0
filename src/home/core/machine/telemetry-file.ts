import type { PointColumns } from '../../../formats/core/sample.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

export type TelemetryKind = 'cpu' | 'gpu';

/** Where a telemetry file comes from: what is not in it. */
export interface TelemetryOrigin {
  readonly kind: TelemetryKind;
  readonly experiment: string;
  /** Epoch milliseconds that elapsed 0 stands for. */
  readonly startedAt: number;
}

export interface TelemetryFile {
  /** The label of the night; empty where the file has none. */
  readonly timestamp: string;
  readonly columns: readonly PointColumns[];
  /** Entries that hold no number, or repeat the time of the one before. */
  readonly dropped: number;
}

/**
 * Reads a recorded cpu or gpu JSON file: ours, with numbers, and the old form in which all is text with the unit
 * glued on. The old recorder took its first sample twice ("0" and "0.0"): the second one is dropped.
 */
export function readTelemetryFile(text: string, origin: TelemetryOrigin): TelemetryFile {
  const parsed = parse(text, origin);
  const columns: PointColumns[] = [];
  let dropped = 0;
  for (const raw of rawSeries(parsed, origin.kind)) {
    const { times, values, unit, left } = readPairs(raw.pairs, origin.startedAt);
    dropped += left;
    if (times.length === 0) continue;
    const identity = telemetryIdentity(origin.kind, origin.experiment, raw);
    columns.push({ ...identity, unit: raw.unit || unit, times, values });
  }
  const timestamp = parsed['timestamp'];
  return { timestamp: typeof timestamp === 'string' ? timestamp : '', columns, dropped };
}

/** Name and tags of a telemetry series, the same for what is recorded now and what is read from files. */
export function telemetryIdentity(
  kind: TelemetryKind,
  experiment: string,
  { group, label }: { readonly group: string; readonly label: string },
): Pick<PointColumns, 'name' | 'tags'> {
  const tags = kind === 'gpu' ? { experiment, gpu: label } : { experiment, label };
  return { name: `${kind}.${group}`, tags };
}

interface RawSeries {
  readonly group: string;
  readonly label: string;
  readonly unit: string;
  readonly pairs: JsonValue | undefined;
}

function parse(text: string, { kind, experiment }: TelemetryOrigin): Readonly<Record<string, JsonValue>> {
  let parsed: JsonValue | undefined;
  let cause: unknown;
  try {
    parsed = JSON.parse(text) as JsonValue;
  } catch (error) {
    cause = error;
  }
  if (isJsonObject(parsed)) return parsed;
  throw new NightmarkError(
    'TELEMETRY_UNREADABLE',
    `The ${kind} telemetry of ${experiment} is not a JSON object.`,
    { cause, hint: 'Remove or repair that file; all other recordings are read without it.' },
  );
}

function* rawSeries(file: Readonly<Record<string, JsonValue>>, kind: TelemetryKind): Iterable<RawSeries> {
  for (const [group, content] of Object.entries(file)) {
    if (group === 'timestamp' || !isJsonObject(content)) continue;
    if (kind === 'cpu') {
      for (const [label, pairs] of Object.entries(content)) {
        yield { group, label, unit: procUnit(group), pairs };
      }
      continue;
    }
    // "gpu1.clocks.gr" where a machine has several, the plain field where it has one.
    const [, label = '0', field = group] = /^gpu(\d+)\.(.+)$/.exec(group) ?? [];
    const unit = content['unit'];
    yield { group: field, label, unit: typeof unit === 'string' ? unit : '', pairs: content['data'] };
  }
}

function readPairs(pairs: JsonValue | undefined, startedAt: number) {
  const list: readonly JsonValue[] = Array.isArray(pairs) ? pairs : [];
  const times = new Float64Array(list.length);
  const values = new Float64Array(list.length);
  let unit = '';
  let count = 0;
  for (const pair of list) {
    const [elapsed, reading] = Array.isArray(pair) ? pair.map(toNumber) : [];
    if (!elapsed || !reading) continue;
    const time = Math.round(startedAt + elapsed.value * 1000);
    if (count > 0 && times[count - 1] === time) continue;
    times[count] = time;
    values[count] = reading.value;
    if (unit === '') unit = reading.unit;
    count++;
  }
  return { times: times.slice(0, count), values: values.slice(0, count), unit, left: list.length - count };
}

function toNumber(value: JsonValue) {
  if (typeof value === 'number') return { value, unit: '' };
  return typeof value === 'string' ? telemetryNumber(value) : undefined;
}

/** A reading as a number and the unit that was written behind it. */
export interface TelemetryNumber {
  readonly value: number;
  readonly unit: string;
}

/**
 * The number in the text of a device: "+41.5°C", "300 MHz", "41.5". A performance state ("P8") counts as its
 * number, as the old graphs drew it. Undefined for anything else: "ALARM", "N/A", "[Not Supported]", and the "0:"
 * that old recordings hold for sensors whose name has two words.
 */
export function telemetryNumber(text: string): TelemetryNumber | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return undefined;
  const [, number, unit = ''] = NUMBER.exec(trimmed) ?? STATE.exec(trimmed) ?? [];
  const value = Number(number);
  return number === undefined || !Number.isFinite(value) ? undefined : { value, unit };
}

/** Longer than any reading; a device's text is not ours to trust. */
const MAX_LENGTH = 64;
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([^\s\d:]*)$/i;
const STATE = /^P(\d+)$/;

/** Units of the readings from /proc and /sys: the recorded JSON has no room for them. */
const PROC_UNITS: ReadonlyMap<string, string> = new Map([
  ['proc-cpu', '%'],
  ['proc-memory', 'bytes'],
  ['proc-load', ''],
  ['proc-frequency', 'MHz'],
  ['proc-pressure', '%'],
  ['proc-disk', 'bytes/s'],
  ['proc-net', 'bytes/s'],
]);

/** The unit of a group from /proc; empty for groups of other sources. */
export function procUnit(group: string): string {
  return PROC_UNITS.get(group) ?? '';
}
