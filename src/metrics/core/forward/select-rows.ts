import type { ForwardRule } from '../../../home/core/home.ts';
import { starPattern } from '../../../platform/core/patterns/glob.ts';
import type { FieldKey, PointRows } from '../points/points.ts';

/** Whether the rule selects a field. The database is checked before anything is read. */
export function fieldFilter({ measurements, tags = {} }: ForwardRule): (key: FieldKey) => boolean {
  const wanted = measurements && starPattern(measurements);
  const wantedTags = Object.entries(tags).map(([key, values]) => [key, starPattern(values)] as const);
  return (key) => {
    if (wanted && !wanted.test(key.measurement)) return false;
    const own = new Map(key.tags);
    return wantedTags.every(([name, pattern]) => pattern.test(own.get(name) ?? ''));
  };
}

export function wantsDatabase({ databases }: ForwardRule, name: string): boolean {
  return databases === undefined || starPattern(databases).test(name);
}

/** The rows of selected columns. */
export function selectRows(rows: PointRows, isWanted: (column: number) => boolean): PointRows {
  const cache = new Map<number, boolean>();
  const kept: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    const column = rows.column[row] as number;
    const isSelected = cache.get(column) ?? isWanted(column);
    cache.set(column, isSelected);
    if (isSelected) kept.push(row);
  }
  return kept.length === rows.count ? rows : pickRows(rows, kept);
}

/** Concatenates rows of several writes. */
export function joinRows(parts: readonly PointRows[]): PointRows {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const all = emptyRows(count);
  const others: (string | bigint)[] = [];
  let at = 0;
  for (const part of parts) {
    const { length } = others;
    for (let row = 0; row < part.count; row++, at++) {
      copyRow(part, row, all, at);
      if (part.isOther[row] === 1) all.value[at] = (part.value[row] as number) + length;
    }
    for (const other of part.others) others.push(other);
  }
  return { ...all, others };
}

/** Rows of an index range, without a copy. */
export function sliceRows(rows: PointRows, from: number, to: number): PointRows {
  const end = Math.min(to, rows.count);
  const { ms, ns } = rows.timestamps;
  return {
    count: end - from,
    column: rows.column.subarray(from, end),
    timestamps: { ms: ms.subarray(from, end), ns: ns.subarray(from, end) },
    type: rows.type.subarray(from, end),
    value: rows.value.subarray(from, end),
    others: rows.others,
    isOther: rows.isOther.subarray(from, end),
  };
}

export function pickRows(rows: PointRows, picked: readonly number[]): PointRows {
  const result = emptyRows(picked.length);
  for (const [at, row] of picked.entries()) copyRow(rows, row, result, at);
  return { ...result, others: rows.others };
}

function emptyRows(count: number) {
  return {
    count,
    column: new Uint32Array(count),
    timestamps: { ms: new Float64Array(count), ns: new Int32Array(count) },
    type: new Uint8Array(count),
    value: new Float64Array(count),
    isOther: new Uint8Array(count),
  };
}

function copyRow(from: PointRows, row: number, to: ReturnType<typeof emptyRows>, at: number): void {
  to.column[at] = from.column[row] as number;
  to.timestamps.ms[at] = from.timestamps.ms[row] as number;
  to.timestamps.ns[at] = from.timestamps.ns[row] as number;
  to.type[at] = from.type[row] as number;
  to.value[at] = from.value[row] as number;
  to.isOther[at] = from.isOther[row] as number;
}
