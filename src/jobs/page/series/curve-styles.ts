import { valuesOf } from './curve-properties.ts';
import type { Curve } from './read-curves.ts';

/** How a curve is drawn: a place in the set of colours, and one in the set of dashes. */
export interface CurveStyle {
  readonly hue: number;
  readonly dash: number;
}

/** Lengths of strokes and gaps; after the last one they begin anew. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 5]];

export interface Legend {
  /** Values of the property in their order: the place is the hue, or the dash. */
  readonly hues: readonly string[];
  readonly dashes: readonly string[];
  readonly lookOf: (curve: Curve) => CurveStyle;
}

interface LegendOptions {
  readonly hue: string | undefined;
  readonly pattern: string | undefined;
  readonly mark?: string | undefined;
}

/** The same value looks the same in every cell. */
export function legendOf(curves: readonly Curve[], { hue, pattern, mark = '' }: LegendOptions): Legend {
  const [hues, dashes] = [marked(valuesOf(curves, hue), mark), valuesOf(curves, pattern)];
  const [hueOf, dashOf] = [placesOf(hues), placesOf(dashes)];
  return {
    hues,
    dashes,
    lookOf: ({ properties }) => ({
      hue: hueOf.get(hue === undefined ? '' : (properties[hue] ?? '')) ?? 0,
      dash: dashOf.get(pattern === undefined ? '' : (properties[pattern] ?? '')) ?? 0,
    }),
  };
}

/** There are eight colours: those that somebody looks for come first. */
function marked(values: readonly string[], mark: string): readonly string[] {
  if (mark === '') return values;
  const isMeant = (value: string) => value.toLowerCase().includes(mark.toLowerCase());
  return [...values.filter(isMeant), ...values.filter((value) => !isMeant(value))];
}

function placesOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, place) => [value, place]));
}
