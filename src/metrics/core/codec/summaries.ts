import { countOf, partOf } from '../points/column-values.ts';
import type { ColumnValues, FieldType, Timestamps } from '../points/points.ts';
import { ByteReader, ByteWriter, damaged } from './byte-stream.ts';
import { decodeColumn, encodeColumn } from './column-codec.ts';

/** Downsampled values: one summary for each span, by its start. Strings and booleans have `last` alone. */
export interface Summaries {
  readonly type: FieldType;
  readonly timestamps: Timestamps;
  readonly count: Float64Array;
  readonly last: ColumnValues;
  readonly min?: Float64Array;
  readonly max?: Float64Array;
  readonly mean?: Float64Array;
}

/** Summarizes sorted values in spans of `spanMs`. NaN is counted, and in no other number. */
export function summarize(values: ColumnValues, spanMs: number): Summaries {
  const starts = spanStarts(values, spanMs);
  const spans = starts.length;
  const end = (span: number) => starts[span + 1] ?? countOf(values);
  const timestamps = {
    ms: Float64Array.from(
      starts,
      (start) => Math.floor((values.timestamps.ms[start] as number) / spanMs) * spanMs,
    ),
    ns: new Int32Array(spans),
  };
  const count = Float64Array.from(starts, (start, span) => end(span) - start);
  const last = pick(
    values,
    timestamps,
    starts.map((_, span) => end(span) - 1),
  );
  const { type, numbers } = values;
  if (!numbers || type === 'boolean') return { type, timestamps, count, last };
  const over = (fold: (part: Float64Array) => number) =>
    Float64Array.from(starts, (start, span) =>
      fold(numbers.subarray(start, end(span)).filter((value) => !Number.isNaN(value))),
    );
  return {
    type,
    timestamps,
    count,
    last,
    min: over((part) => part.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
    max: over((part) => part.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    mean: over((part) => part.reduce((a, b) => a + b, 0) / part.length),
  };
}

/** Summarizes summaries; `spanMs` is a multiple of their span. Also joins two of the same span, the later one last. */
export function summarizeAgain(summaries: Summaries, spanMs: number): Summaries {
  const { type, last, count, min, max, mean } = summaries;
  const starts = spanStarts(last, spanMs);
  const end = (span: number) => starts[span + 1] ?? countOf(last);
  const coarse = summarize(last, spanMs);
  const counts = Float64Array.from(starts, (start, span) =>
    count.subarray(start, end(span)).reduce((a, b) => a + b, 0),
  );
  if (!min || !max || !mean) return { ...coarse, count: counts };
  const weighted = (start: number, stop: number) => {
    let [sum, weight] = [0, 0];
    for (let i = start; i < stop; i++) {
      if (Number.isNaN(mean[i] as number)) continue;
      sum += (mean[i] as number) * (count[i] as number);
      weight += count[i] as number;
    }
    return sum / weight;
  };
  return {
    type,
    timestamps: coarse.timestamps,
    last: coarse.last,
    count: counts,
    min: Float64Array.from(starts, (start, span) => Math.min(...min.subarray(start, end(span)))),
    max: Float64Array.from(starts, (start, span) => Math.max(...max.subarray(start, end(span)))),
    mean: Float64Array.from(starts, (start, span) => weighted(start, end(span))),
  };
}

export function partOfSummaries(summaries: Summaries, start: number, end: number): Summaries {
  const { type, timestamps, count, last, min, max, mean } = summaries;
  const base = {
    type,
    timestamps: { ms: timestamps.ms.slice(start, end), ns: timestamps.ns.slice(start, end) },
    count: count.slice(start, end),
    last: partOf(last, start, end),
  };
  if (!min || !max || !mean) return base;
  return { ...base, min: min.slice(start, end), max: max.slice(start, end), mean: mean.slice(start, end) };
}

/** Values in place of the raw ones: the mean of floats, the last of all others. */
export function valuesOf({ type, timestamps, mean, last }: Summaries): ColumnValues {
  return type === 'float' && mean ? { type, timestamps, numbers: mean } : { ...last, timestamps };
}

export function encodeSummaries({ timestamps, count, last, min, max, mean }: Summaries): Uint8Array {
  const out = new ByteWriter();
  const numbers = [count, min, max, mean].flatMap((numbers) => (numbers ? [numbers] : []));
  const columns = [
    { ...last, timestamps },
    ...numbers.map((numbers) => ({ type: 'float', timestamps, numbers }) as const),
  ];
  for (const column of columns) {
    const bytes = encodeColumn(column);
    out.count(bytes.length);
    out.append(bytes);
  }
  return out.finish();
}

export function decodeSummaries(bytes: Uint8Array): Summaries {
  const input = new ByteReader(bytes);
  const columns: ColumnValues[] = [];
  while (input.position < bytes.length) columns.push(decodeColumn(input.take(input.count())));
  const [last, count, min, max, mean] = columns;
  if (!last || !count?.numbers) throw damaged('a summary lacks its counts');
  const { type, timestamps } = last;
  const base = { type, timestamps, last, count: count.numbers };
  if (!min?.numbers || !max?.numbers || !mean?.numbers) return base;
  return { ...base, min: min.numbers, max: max.numbers, mean: mean.numbers };
}

function spanStarts({ timestamps: { ms } }: ColumnValues, spanMs: number): number[] {
  const starts: number[] = [];
  let span = Number.NaN;
  for (let i = 0; i < ms.length; i++) {
    const at = Math.floor((ms[i] as number) / spanMs);
    if (at !== span) starts.push(i);
    span = at;
  }
  return starts;
}

function pick(values: ColumnValues, timestamps: Timestamps, places: readonly number[]): ColumnValues {
  const { type, numbers, bigints, strings } = values;
  if (strings) return { type, timestamps, strings: places.map((place) => strings[place] ?? '') };
  const picked = {
    type,
    timestamps,
    numbers: Float64Array.from(places, (place) => numbers?.[place] ?? Number.NaN),
  };
  if (!bigints) return picked;
  const large = places.map((place) => bigints[place] ?? 0n);
  const whole = {
    ...picked,
    bigints: type === 'unsigned' ? BigUint64Array.from(large) : BigInt64Array.from(large),
  };
  // Drops `bigints` where numbers are enough.
  return partOf(whole, 0, places.length);
}
