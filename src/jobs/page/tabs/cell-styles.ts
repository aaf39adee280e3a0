import type { JsonValue } from '../../../platform/core/text/json.ts';
import { canonicalJson } from '../../core/compare-jobs.ts';

/** How a cell is coloured: by its place on a scale of numbers, or by which of the different values it is. */
export type CellStyle =
  | { readonly type: 'plain' }
  | { readonly type: 'missing' }
  /** From 0 to 1, by rank: 0.001, 0.01 and 0.1 are as far apart as they are meant. */
  | { readonly type: 'scale'; readonly part: number }
  | { readonly type: 'category'; readonly place: number };

interface Compared {
  readonly values: readonly JsonValue[];
  readonly missing?: readonly number[];
  readonly isEqual: boolean;
}

export function cellStyles({ values, missing = [], isEqual }: Compared): readonly CellStyle[] {
  const gone = new Set(missing);
  const there = values.filter((_, place) => !gone.has(place));
  if (isEqual) return values.map((_, place) => (gone.has(place) ? { type: 'missing' } : { type: 'plain' }));
  const isScale = there.length > 0 && there.every((value) => typeof value === 'number');
  const distinct = [...new Set(there.map(canonicalJson))];
  if (isScale) distinct.sort((a, b) => Number(a) - Number(b));
  const placeOf = new Map(distinct.map((text, place) => [text, place]));
  return values.map((value, at) => {
    if (gone.has(at)) return { type: 'missing' };
    const place = placeOf.get(canonicalJson(value)) ?? 0;
    if (!isScale) return { type: 'category', place };
    return { type: 'scale', part: distinct.length < 2 ? 0 : place / (distinct.length - 1) };
  });
}

/** Ticks and crosses for booleans; texts as they are; the rest as JSON. */
export function valueText(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? '✓' : '✕';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
