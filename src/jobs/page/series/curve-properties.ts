import type { Curve } from './read-curves.ts';

/** Properties with more than one value among the curves; to have none is a value, too. */
export function varyingProperties(curves: readonly Curve[]): readonly string[] {
  const names = new Set(curves.flatMap(({ properties }) => Object.keys(properties)));
  return [...names].filter((name) => {
    const [first, ...others] = curves;
    return others.some(({ properties }) => properties[name] !== first?.properties[name]);
  });
}

/** "config.lr" is "lr": the prefix only distinguishes equal names. */
export function propertyLabel(name: string): string {
  return name.replace(/^(?:config|tag)\./, '');
}

/** Values of a property in the order in which people count; "" where there is none. */
export function valuesOf(curves: readonly Curve[], name: string | undefined): readonly string[] {
  if (name === undefined) return [''];
  const values = [...new Set(curves.map(({ properties }) => properties[name] ?? ''))];
  return values.sort(inOrder);
}

function inOrder(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (a !== '' && b !== '' && Number.isFinite(x) && Number.isFinite(y)) return x - y;
  return ORDER.compare(a, b);
}

const ORDER = new Intl.Collator('en', { numeric: true });

/**
 * The default for dashes: the measurement or tag that separates curves which would look the same otherwise, of one job
 * for example those of training and of validation. undefined: there is none, or it has more values than `most`.
 */
export function usualPattern(
  curves: readonly Curve[],
  taken: readonly (string | undefined)[],
  most: number,
): string | undefined {
  const styleOf = ({ properties }: Curve) =>
    JSON.stringify(taken.map((name) => (name === undefined ? '' : (properties[name] ?? ''))));
  return varyingProperties(curves).find((name) => {
    if (!/^(?:measurement$|tag\.)/.test(name) || taken.includes(name)) return false;
    const looks = new Set(curves.map(styleOf));
    const both = new Set(curves.map((curve) => `${styleOf(curve)} ${curve.properties[name] ?? ''}`));
    return both.size > looks.size && valuesOf(curves, name).length <= most;
  });
}

export interface Cell {
  readonly column: string;
  readonly row: string;
  readonly curves: readonly Curve[];
}

/** Curves in a grid: a column for each value of one property, a row for each of another. Rows come one after the other. */
export function cellsOf(
  curves: readonly Curve[],
  { columns, rows }: { readonly columns: string | undefined; readonly rows: string | undefined },
): { readonly cells: readonly Cell[]; readonly columnCount: number } {
  const [across, down] = [valuesOf(curves, columns), valuesOf(curves, rows)];
  const byPlace = new Map<string, Curve[]>();
  const place = (column: string, row: string) => JSON.stringify([column, row]);
  for (const curve of curves) {
    const key = place(propertyIn(curve, columns), propertyIn(curve, rows));
    byPlace.set(key, [...(byPlace.get(key) ?? []), curve]);
  }
  const cells = down.flatMap((row) =>
    across.map((column) => ({ column, row, curves: byPlace.get(place(column, row)) ?? [] })),
  );
  return { cells, columnCount: across.length };
}

function propertyIn({ properties }: Curve, name: string | undefined): string {
  return name === undefined ? '' : (properties[name] ?? '');
}

/** The least and the largest x of all curves, and y of what lies in the range of x; undefined where there is nothing. */
export function extentOf(
  curves: readonly Curve[],
  { xRange, isLogX, isLogY }: ExtentOptions,
): { readonly x: readonly [number, number]; readonly y: readonly [number, number] } | undefined {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const curve of curves) {
    for (const at of curve.odd)
      if (!isLogX || at > 0) [left, right] = [Math.min(left, at), Math.max(right, at)];
    for (let at = 0; at < curve.x.length; at++) {
      const x = curve.x[at] as number;
      if (isLogX && x <= 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (xRange && (x < xRange[0] || x > xRange[1])) continue;
      for (const y of [curve.y[at], curve.low?.[at], curve.high?.[at]]) {
        if (y === undefined || !Number.isFinite(y) || (isLogY && y <= 0)) continue;
        if (y < low) low = y;
        if (y > high) high = y;
      }
    }
  }
  if (left > right) return undefined;
  return { x: xRange ?? [left, right], y: low > high ? [isLogY ? 0.1 : 0, 1] : [low, high] };
}

export interface ExtentOptions {
  readonly xRange: readonly [number, number] | undefined;
  readonly isLogX: boolean;
  readonly isLogY: boolean;
}

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
  readonly styleOf: (curve: Curve) => CurveStyle;
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
    styleOf: ({ properties }) => ({
      hue: hueOf.get(hue === undefined ? '' : (properties[hue] ?? '')) ?? 0,
      dash: dashOf.get(pattern === undefined ? '' : (properties[pattern] ?? '')) ?? 0,
    }),
  };
}

/** There are eight colours: values that match the filter come first. */
function marked(values: readonly string[], mark: string): readonly string[] {
  if (mark === '') return values;
  const isMeant = (value: string) => value.toLowerCase().includes(mark.toLowerCase());
  return [...values.filter(isMeant), ...values.filter((value) => !isMeant(value))];
}

function placesOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, place) => [value, place]));
}
