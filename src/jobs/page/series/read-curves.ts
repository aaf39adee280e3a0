import { compareNaturally } from '../../../platform/core/text/text-order.ts';
import type { JobSeriesDocument, SeriesCell, SeriesColumns } from '../../core/job-documents.ts';

/** What can be drawn: a measurement, with its field where that is another than `value`. */
export interface Measure {
  readonly name: string;
  readonly measurement: string;
  readonly field: string;
}

/** Counters of scripts: they are x, not results. */
const STEPS = ['epoch', 'step', 'iteration', 'iter', 'batch', 'global_step', 'episode'];

/** Time since the job began, in seconds; and as clocks show it. */
export const TIME_AXES = ['relative', 'time'] as const;

/** In the order in which the jobs reported them; steps come last. */
export function measuresOf({ series }: JobSeriesDocument): readonly Measure[] {
  const found = new Map<string, Measure>();
  for (const { measurement, fields } of series) {
    for (const field of Object.keys(fields)) {
      const name = field === 'value' ? measurement : `${measurement}.${field}`;
      if (!found.has(name)) found.set(name, { name, measurement, field });
    }
  }
  const all = [...found.values()];
  const isStep = ({ field }: Measure) => STEPS.includes(field);
  return [...all.filter((one) => !isStep(one)), ...all.filter(isStep)];
}

/** Fields that can be x: steps first. */
export function stepsOf({ series }: JobSeriesDocument): readonly string[] {
  const fields = new Set(series.flatMap(({ fields: of }) => Object.keys(of)));
  const others = [...fields]
    .filter((field) => !STEPS.includes(field) && field !== 'value')
    .sort(compareNaturally);
  return [...STEPS.filter((field) => fields.has(field)), ...others];
}

export function usualX(document: JobSeriesDocument): string {
  return stepsOf(document).find((field) => STEPS.includes(field)) ?? 'relative';
}

/** All tags as "split=train". */
export function tagsOf({ series }: JobSeriesDocument): readonly string[] {
  const pairs = series.flatMap(({ tags }) =>
    Object.entries(tags).map(([key, value]) => `${key}=${propertyText(value)}`),
  );
  return [...new Set(pairs)].sort(compareNaturally);
}

interface Wanted {
  readonly measures: readonly Measure[];
  /** Of one key any of them, of several keys one each. */
  readonly tags: readonly string[];
  readonly x: string;
}

export function readCurves(document: JobSeriesDocument, { measures, tags, x }: Wanted): readonly Curve[] {
  const names = jobNames(document);
  const begins = beginnings(document);
  const curves: Curve[] = [];
  for (const [at, one] of document.series.entries()) {
    if (!hasTags(one, tags)) continue;
    for (const { name, measurement, field } of measures) {
      const values = measurement === one.measurement ? one.fields[field] : undefined;
      if (values === undefined || field === x) continue;
      const columns = pairsOf(one, values, { x, begin: begins[one.job] ?? 0 });
      if (columns === undefined) continue;
      const properties = propertiesOf(document, one, { measurement: name, job: names[one.job] ?? '' });
      curves.push({ key: `${at} ${name}`, properties, ...columns });
    }
  }
  return curves;
}

/** Jobs with the same name are distinguished by the end of their ids. */
function jobNames({ jobs }: JobSeriesDocument): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name } of jobs) counts.set(name, (counts.get(name) ?? 0) + 1);
  return jobs.map(({ name, id }) => (counts.get(name) === 1 ? name : `${name} ${id.slice(-6)}`));
}

/** Start of each job; its first point where the start is unknown. */
function beginnings({ jobs, series }: JobSeriesDocument): readonly number[] {
  const first = jobs.map(({ startedAt }) => startedAt ?? Number.POSITIVE_INFINITY);
  for (const { job, times } of series) {
    const time = times[0] ?? Number.POSITIVE_INFINITY;
    // Another clock may have stamped the points.
    if (time < (first[job] ?? 0)) first[job] = time;
  }
  return first;
}

function hasTags({ tags }: SeriesColumns, wanted: readonly string[]): boolean {
  const byKey = new Map<string, string[]>();
  for (const pair of wanted) {
    const key = pair.slice(0, pair.indexOf('='));
    byKey.set(key, [...(byKey.get(key) ?? []), pair]);
  }
  return [...byKey].every(([key, pairs]) => pairs.includes(`${key}=${propertyText(tags[key])}`));
}

function pairsOf(
  { times, fields }: SeriesColumns,
  values: readonly SeriesCell[],
  { x, begin }: { readonly x: string; readonly begin: number },
): Pick<Curve, 'x' | 'y' | 'odd'> | undefined {
  const steps = x === 'time' || x === 'relative' ? undefined : fields[x];
  if (steps === undefined && x !== 'time' && x !== 'relative') return undefined;
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const time = times[at] ?? Number.NaN;
    const place = steps ? number(steps[at]) : x === 'time' ? time : (time - begin) / 1000;
    if (!Number.isFinite(place)) continue;
    xs.push(place);
    ys.push(number(value));
  }
  return xs.length === 0 ? undefined : averagedByX(xs, ys);
}

function number(cell: SeriesCell | undefined): number {
  if (typeof cell === 'number') return cell;
  return cell === 'inf' ? Number.POSITIVE_INFINITY : cell === '-inf' ? Number.NEGATIVE_INFINITY : Number.NaN;
}

function propertiesOf(
  { jobs }: JobSeriesDocument,
  { job: place, tags }: SeriesColumns,
  { measurement, job }: { readonly measurement: string; readonly job: string },
): Readonly<Record<string, string>> {
  const of = jobs[place];
  const config = Object.entries(of?.config ?? {}).map(([key, value]) => [
    `config.${key}`,
    propertyText(value),
  ]);
  const own = Object.entries(tags).map(([key, value]) => [`tag.${key}`, propertyText(value)]);
  return {
    ...{ job, experiment: of?.experiment ?? '', measurement },
    ...{ project: of?.project ?? '', user: of?.user ?? '' },
    ...(of?.description !== undefined && { description: of.description }),
    ...Object.fromEntries([...config, ...own]),
  };
}

function propertyText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** One line of a chart: values over x, and the properties that distinguish it. */
export interface Curve {
  readonly key: string;
  /** By name: "job", "experiment", "measurement", "config.lr", "tag.split". */
  readonly properties: Readonly<Record<string, string>>;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Where there were values that are not finite numbers. */
  readonly odd: Float64Array;
  /** Of a mean: how far the band goes, and how many curves it is of. */
  readonly low?: Float64Array;
  readonly high?: Float64Array;
  readonly count?: number;
}

/** Rising x, each once: values of the same x are averaged; those that are not finite are kept apart. */
export function averagedByX(xs: ArrayLike<number>, ys: ArrayLike<number>): Pick<Curve, 'x' | 'y' | 'odd'> {
  const order = Array.from(xs, (_, at) => at).filter((at) => Number.isFinite(xs[at]));
  if (!isRising(xs)) order.sort((a, b) => (xs[a] ?? 0) - (xs[b] ?? 0));
  const [x, y, odd]: [number[], number[], number[]] = [[], [], []];
  for (let from = 0; from < order.length; ) {
    const at = xs[order[from] ?? 0] ?? 0;
    let [sum, count, isOdd] = [0, 0, false];
    for (; from < order.length && xs[order[from] ?? 0] === at; from++) {
      const value = ys[order[from] ?? 0] ?? Number.NaN;
      if (Number.isFinite(value)) [sum, count] = [sum + value, count + 1];
      else isOdd = true;
    }
    if (isOdd) odd.push(at);
    if (count === 0) continue;
    x.push(at);
    y.push(sum / count);
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y), odd: Float64Array.from(odd) };
}

function isRising(xs: ArrayLike<number>): boolean {
  for (let at = 1; at < xs.length; at++) if (!((xs[at] ?? 0) >= (xs[at - 1] ?? 0))) return false;
  return true;
}

/**
 * A moving mean that forgets: each value counts `weight` times as much as the one after it. Divided by the weights that
 * have come in, so that it does not begin at zero. Weight 0 is the curve itself.
 */
export function smoothed(values: Float64Array, weight: number): Float64Array {
  if (weight <= 0) return values;
  let [sum, weights] = [0, 0];
  return values.map((value) => {
    sum = sum * weight + value * (1 - weight);
    weights = weights * weight + (1 - weight);
    return sum / weights;
  });
}
