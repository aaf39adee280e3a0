import { studentQuantile } from '../../../stats/distributions.ts';
import { varyingProperties } from './curve-properties.ts';
import type { Curve } from './read-curves.ts';

/** What the band around a mean shows. */
export const BANDS = ['sd', 'interval', 'range', 'none'] as const;
export type Band = (typeof BANDS)[number];

export const BAND_TEXTS: Readonly<Record<Band, string>> = {
  sd: 'one standard deviation',
  interval: '95 % interval of the mean',
  range: 'lowest to highest',
  none: 'no band',
};

interface MeanOptions {
  /** Properties that are averaged away: "config.seed". "job": everything of a job that no other choice names. */
  readonly over: readonly string[];
  /** Properties that columns, rows, hue and pattern show: curves that differ in them are never put together. */
  readonly shown: readonly string[];
  readonly band: Band;
}

/** One mean for all curves that are equal but for what is averaged over. */
export function meanCurves(curves: readonly Curve[], { over, shown, band }: MeanOptions): readonly Curve[] {
  if (over.length === 0) return curves;
  const isOverJobs = over.includes('job');
  const kept = varyingProperties(curves).filter((name) => {
    if (over.includes(name) || name === 'job') return false;
    return shown.includes(name) || !isOverJobs || isOfSeries(name);
  });
  const groups = new Map<string, Curve[]>();
  for (const curve of curves) {
    const key = JSON.stringify(kept.map((name) => curve.properties[name] ?? null));
    const group = groups.get(key);
    if (group) group.push(curve);
    else groups.set(key, [curve]);
  }
  return [...groups].map(([key, members]) => ({
    key,
    properties: sharedProperties(members, kept),
    ...meanOf(members, band),
  }));
}

/** Of the series and not of its job. */
function isOfSeries(name: string): boolean {
  return name === 'measurement' || name.startsWith('tag.');
}

/** What all have; the name of the mean in the place of the jobs' names. */
function sharedProperties(
  members: readonly Curve[],
  kept: readonly string[],
): Readonly<Record<string, string>> {
  const [first] = members;
  const varying = new Set(varyingProperties(members));
  const shared = Object.entries(first?.properties ?? {}).filter(([name]) => !varying.has(name));
  const parts = kept.filter((name) => name !== 'measurement').map((name) => propertyPair(first, name));
  const job = members.length === 1 ? (first?.properties['job'] ?? '') : parts.join(', ') || 'mean';
  return { ...Object.fromEntries(shared), job };
}

function propertyPair(curve: Curve | undefined, name: string): string {
  return `${name.replace(/^(?:config|tag)\./, '')}=${curve?.properties[name] ?? ''}`;
}

/** More timestamps than a screen has pixels show nothing more. */
const MAX_POINTS = 2_000;

/** At each x of any of them the mean of all that reach there; between its own points a curve is a straight line. */
export function meanOf(
  members: readonly Curve[],
  band: Band,
): Pick<Curve, 'x' | 'y' | 'odd' | 'low' | 'high' | 'count'> {
  const x = commonX(members);
  const sums = {
    count: new Float64Array(x.length),
    mean: new Float64Array(x.length),
    m2: new Float64Array(x.length),
  };
  const [low, high] = [new Float64Array(x.length).fill(Infinity), new Float64Array(x.length).fill(-Infinity)];
  for (const member of members) {
    walk(member, x, (at, value) => {
      // Welford's way: exact also where values are large and close together.
      const count = (sums.count[at] ?? 0) + 1;
      const delta = value - (sums.mean[at] ?? 0);
      const mean = (sums.mean[at] ?? 0) + delta / count;
      sums.m2[at] = (sums.m2[at] ?? 0) + delta * (value - mean);
      [sums.count[at], sums.mean[at]] = [count, mean];
      low[at] = Math.min(low[at] ?? value, value);
      high[at] = Math.max(high[at] ?? value, value);
    });
  }
  const odd = Float64Array.from(new Set(members.flatMap((member) => [...member.odd])));
  const base = { x, y: sums.mean, odd: odd.sort(), count: members.length };
  if (band === 'none') return base;
  if (band === 'range') return { ...base, low, high };
  const reach = sums.mean.map((_, at) => reachOf(sums.count[at] ?? 0, sums.m2[at] ?? 0, band));
  return {
    ...base,
    low: sums.mean.map((y, at) => y - (reach[at] ?? 0)),
    high: sums.mean.map((y, at) => y + (reach[at] ?? 0)),
  };
}

/** One value has no deviation: NaN, and no band there. */
function reachOf(count: number, m2: number, band: 'sd' | 'interval'): number {
  if (count < 2) return Number.NaN;
  const sd = Math.sqrt(m2 / (count - 1));
  return band === 'sd' ? sd : (quantileOf(count - 1) * sd) / Math.sqrt(count);
}

const quantiles = new Map<number, number>();

function quantileOf(freedom: number): number {
  const known = quantiles.get(freedom) ?? studentQuantile(0.975, freedom);
  quantiles.set(freedom, known);
  return known;
}

function commonX(members: readonly Curve[]): Float64Array {
  const all = Float64Array.from(new Set(members.flatMap((member) => [...member.x]))).sort();
  if (all.length <= MAX_POINTS) return all;
  return Float64Array.from(
    { length: MAX_POINTS },
    (_, at) => all[Math.round((at * (all.length - 1)) / (MAX_POINTS - 1))] ?? 0,
  );
}

/** Values of a curve at rising places, inside its own reach only. */
function walk({ x, y }: Curve, places: Float64Array, take: (at: number, value: number) => void): void {
  let right = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    while (right < x.length && (x[right] as number) < place) right++;
    if (right >= x.length) return;
    const [nextX, nextY] = [x[right] as number, y[right] as number];
    if (nextX === place) take(at, nextY);
    else if (right > 0) {
      const [lastX, lastY] = [x[right - 1] as number, y[right - 1] as number];
      take(at, lastY + ((place - lastX) / (nextX - lastX)) * (nextY - lastY));
    }
  }
}
