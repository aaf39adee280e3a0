import {
  type ColumnValues,
  compareTimestamps,
  type FieldType,
  indexRange,
  type TimeRange,
  timestampAt,
} from './points.ts';

export function noValues(type: FieldType): ColumnValues {
  const timestamps = { ms: new Float64Array(0), ns: new Int32Array(0) };
  return type === 'string'
    ? { type, timestamps, strings: [] }
    : { type, timestamps, numbers: new Float64Array(0) };
}

export function countOf({ timestamps }: ColumnValues): number {
  return timestamps.ms.length;
}

/** An index range of the values, on the same memory. */
export function partOf(values: ColumnValues, start: number, end: number): ColumnValues {
  const { type, timestamps, numbers, bigints, strings } = values;
  if (start === 0 && end === timestamps.ms.length) return values;
  return {
    type,
    timestamps: { ms: timestamps.ms.subarray(start, end), ns: timestamps.ns.subarray(start, end) },
    ...(numbers && { numbers: numbers.subarray(start, end) }),
    ...(bigints && largeOnly(bigints.subarray(start, end))),
    ...(strings && { strings: strings.slice(start, end) }),
  };
}

export function within(values: ColumnValues, range: TimeRange): ColumnValues {
  const [start, end] = indexRange(values.timestamps, range);
  return partOf(values, start, end);
}

/** One after the other; each begins after the one before it ends. */
export function joinValues(type: FieldType, parts: readonly ColumnValues[]): ColumnValues {
  const filled = parts.filter((part) => countOf(part) > 0);
  const [only] = filled;
  if (only === undefined) return noValues(type);
  if (filled.length === 1) return only;
  const count = filled.reduce((sum, part) => sum + countOf(part), 0);
  const joined = emptyColumn(filled, count);
  let at = 0;
  for (const part of filled) {
    joined.timestamps.ms.set(part.timestamps.ms, at);
    joined.timestamps.ns.set(part.timestamps.ns, at);
    if (part.numbers) joined.numbers?.set(part.numbers, at);
    joined.bigints?.set(bigintsOf(part) as BigInt64Array & BigUint64Array, at);
    for (const text of part.strings ?? []) joined.strings?.push(text);
    at += countOf(part);
  }
  return joined;
}

/** Merges sorted values; of the same timestamp the newer one counts. */
export function mergeValues(older: ColumnValues, newer: ColumnValues): ColumnValues {
  const [a, b] = [countOf(older), countOf(newer)];
  if (a === 0) return newer;
  if (b === 0) return older;
  if (isBefore(older, newer)) return joinValues(newer.type, [older, newer]);
  if (isBefore(newer, older)) return joinValues(newer.type, [newer, older]);
  const parts: ColumnValues[] = [];
  let [i, j] = [0, 0];
  // Runs of one side are copied whole: a few late values among many cost little.
  while (i < a && j < b) {
    const [start] = indexRange(older.timestamps, { from: timestampAt(newer.timestamps, j) });
    parts.push(partOf(older, i, start));
    i = start;
    let end = j;
    const limit = i < a ? timestampAt(older.timestamps, i) : undefined;
    while (
      end < b &&
      (limit === undefined || compareTimestamps(timestampAt(newer.timestamps, end), limit) <= 0)
    )
      end++;
    parts.push(partOf(newer, j, end));
    if (limit !== undefined && compareTimestamps(timestampAt(newer.timestamps, end - 1), limit) === 0) i++;
    j = end;
  }
  parts.push(partOf(older, i, a), partOf(newer, j, b));
  return joinValues(newer.type, parts);
}

/** A deep copy. */
export function copyOf(values: ColumnValues): ColumnValues {
  const { type, timestamps, numbers, bigints, strings } = values;
  return {
    type,
    timestamps: { ms: timestamps.ms.slice(), ns: timestamps.ns.slice() },
    ...(numbers && { numbers: numbers.slice() }),
    ...(bigints && { bigints: bigints.slice() }),
    ...(strings && { strings: strings.slice() }),
  };
}

function isBefore(a: ColumnValues, b: ColumnValues): boolean {
  return compareTimestamps(timestampAt(a.timestamps, countOf(a) - 1), timestampAt(b.timestamps, 0)) < 0;
}

/** `bigints` are present only where at least one is beyond a safe integer. */
function largeOnly(bigints: BigInt64Array | BigUint64Array): Pick<ColumnValues, 'bigints'> {
  const isLarge = bigints.some((value: bigint) => !Number.isSafeInteger(Number(value)));
  return isLarge ? { bigints } : {};
}

function emptyColumn(parts: readonly ColumnValues[], count: number) {
  const type = (parts[0] as ColumnValues).type;
  const timestamps = { ms: new Float64Array(count), ns: new Int32Array(count) };
  if (type === 'string') return { type, timestamps, strings: [] as string[] };
  const numbers = new Float64Array(count);
  if (!parts.some(({ bigints }) => bigints)) return { type, timestamps, numbers };
  const bigints = type === 'unsigned' ? new BigUint64Array(count) : new BigInt64Array(count);
  return { type, timestamps, numbers, bigints };
}

function bigintsOf({
  type,
  numbers = new Float64Array(0),
  bigints,
}: ColumnValues): BigInt64Array | BigUint64Array {
  if (bigints) return bigints;
  const values = Array.from(numbers, BigInt);
  return type === 'unsigned' ? BigUint64Array.from(values) : BigInt64Array.from(values);
}
