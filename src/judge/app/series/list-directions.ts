import { type MeasuredSeries, seriesText } from '../../../home/core/changes/change.ts';
import { lacksDirection } from '../../../home/core/changes/direction.ts';
import { type DirectionRule, ruleMatcher } from '../../../home/core/changes/directions.ts';
import type { Store } from '../../../home/core/store.ts';
import { isDetail } from './series-values.ts';

/** A series with its direction as people speak of it. */
export interface DirectedSeries {
  readonly series: MeasuredSeries;
  readonly name: string;
  readonly unit: string;
  readonly direction: 'lower' | 'higher' | 'none' | 'unknown';
  /** Absent: unknown. */
  readonly from?: 'declared' | 'format' | 'inferred';
}

export interface DirectionList {
  /** What the definition declares, with how many series each pattern matches. */
  readonly rules: readonly (DirectionRule & { readonly series: number })[];
  /** Unknown ones first, then by name. */
  readonly series: readonly DirectedSeries[];
}

export interface DirectionFilter {
  readonly pattern?: string;
  /** Only those without a known direction. */
  readonly isUnknown?: boolean;
}

const MANY = 1_000_000;

/** Every series that is judged, with its direction and where that is from. */
export async function listDirections(
  { pattern, isUnknown = false }: DirectionFilter,
  store: Store | undefined,
): Promise<DirectionList> {
  if (!store) return { rules: [], series: [] };
  const all = [...(await valueSeries(store)), ...(await kpiSeries(store))];
  const isWanted = pattern === undefined ? () => true : ruleMatcher({ pattern, better: 'none' }).matches;
  const series = all
    .filter(({ series: one, direction }) => isWanted(one) && (!isUnknown || direction === 'unknown'))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const rules = (await store.directions()).map((rule) => {
    const { matches } = ruleMatcher(rule);
    return { ...rule, series: all.filter((one) => matches(one.series)).length };
  });
  return { rules, series };
}

function rank({ direction }: DirectedSeries): number {
  return direction === 'unknown' ? 0 : 1;
}

async function valueSeries(store: Store): Promise<readonly DirectedSeries[]> {
  const all = (await store.series({ limit: MANY })).filter((one) => !isDetail(one));
  return all.map(({ experiment, path, ...one }) => directed({ kind: 'value', experiment, path }, one));
}

async function kpiSeries(store: Store): Promise<readonly DirectedSeries[]> {
  const all = (await store.kpiSeries({ limit: MANY })).filter(({ isIgnored }) => !isIgnored);
  return all.map(({ name, labels, ...one }) => directed({ kind: 'kpi', name, labels }, one));
}

type Known = Parameters<typeof lacksDirection>[0] & { readonly unit: string };

function directed(series: MeasuredSeries, { unit, better, betterFrom }: Known): DirectedSeries {
  const isNone = better === 'unknown' && !lacksDirection({ better, ...(betterFrom && { betterFrom }) });
  return {
    ...{ series, name: seriesText(series), unit, direction: isNone ? 'none' : better },
    ...(betterFrom && { from: betterFrom }),
  };
}
