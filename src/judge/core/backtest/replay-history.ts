import { adjustedPValues } from '../../../stats/false-discovery.ts';
import { FALSE_DISCOVERIES } from '../newest/judge-many.ts';
import type { RegressionMethod } from '../regression/regression-method.ts';

/** Alarms of a method on one history, each value judged by those before it only. */
export interface Replay {
  readonly alarms: readonly Alarm[];
  /** p of each judged value, and its time; empty where the method has none. */
  readonly ps: Float64Array;
  readonly times: Float64Array;
  readonly judged: number;
  readonly notJudged: number;
  readonly gaps: number;
}

/** A value that was not accepted, and is not for the better. */
export interface Alarm {
  readonly index: number;
  readonly at: number;
  /** Its place among the usable values. */
  readonly place: number;
  readonly p?: number;
  readonly description: string;
}

/** Replays a method over one history. */
export function replay(
  { values, times, lowerBetter }: BacktestHistory,
  method: RegressionMethod,
  partial: Partial<BacktestOptions> = {},
): Replay {
  const { minHistory, since } = { ...BACKTEST_DEFAULTS, ...partial };
  const alarms: Alarm[] = [];
  const [ps, moments]: [number[], number[]] = [[], []];
  // Gaps are left out beforehand, so that methods need not know of them, and a prefix is only a view.
  const places = [...values.keys()].filter((place) => Number.isFinite(values[place]));
  const usable = Float64Array.from(places, (place) => values[place] ?? 0);
  let [judged, notJudged] = [0, 0];
  for (let place = minHistory; place < usable.length; place++) {
    const index = places[place] ?? 0;
    const at = times[index] ?? 0;
    if (at < since) continue;
    const result = method.judge(usable.subarray(0, place), usable[place] ?? 0, { lowerBetter });
    const { accepted, p, description } = result;
    if (accepted === undefined) notJudged++;
    else judged++;
    if (p !== undefined) {
      ps.push(p);
      moments.push(at);
    }
    const isImprovement = result.improved === true && lowerBetter !== undefined;
    if (accepted !== false || isImprovement) continue;
    alarms.push({ index, at, place, ...(p !== undefined && { p }), description });
  }
  const gaps = values.length - places.length;
  return { alarms, ps: Float64Array.from(ps), times: Float64Array.from(moments), judged, notJudged, gaps };
}

/**
 * Places of the alarms of each history that would have been held back: as the judge does after a night, p is corrected
 * by all values of the same time. Where a method has no p, nothing is held back.
 */
export function heldBackAlarms(replays: readonly Replay[]): readonly ReadonlySet<number>[] {
  const together = new Map<number, number[]>();
  for (const { ps, times } of replays) {
    for (const [at, p] of ps.entries()) {
      const list = together.get(times[at] ?? 0);
      if (list) list.push(p);
      else together.set(times[at] ?? 0, [p]);
    }
  }
  const limits = new Map([...together].map(([at, ps]) => [at, largestReported(ps)]));
  return replays.map(({ alarms }) => {
    const held = alarms.filter(({ p, at }) => p !== undefined && p > (limits.get(at) ?? 1));
    return new Set(held.map(({ place }) => place));
  });
}

export interface AlertOptions {
  /** Places of alarms that were held back. */
  readonly held: ReadonlySet<number>;
  readonly window: number;
}

/** The alarms that people would have been notified of, one for each run of them in a row. */
export function alertsOf(
  history: BacktestHistory,
  { alarms }: Replay,
  { held, window }: AlertOptions,
): readonly BacktestAlert[] {
  const alerts: BacktestAlert[] = [];
  let quietFrom = 0;
  for (const { index, at, place, description } of alarms) {
    if (held.has(place)) continue;
    // A method goes on about a new level until it has learned it, and its first values make the old level look noisier:
    // one alert, until two values in a row were accepted.
    if (place >= quietFrom) {
      const alert = { series: history.name, index, at, description };
      alerts.push({ ...alert, ...triageOf(history, index, window) });
    }
    quietFrom = place + CALM + 1;
  }
  return alerts;
}

const DAY_MS = 86_400_000;
/** Accepted values in a row after which the next alert is another one. */
const CALM = 2;

/** The largest p that is still reported among so many; below 0 where none is. */
function largestReported(ps: readonly number[]): number {
  const adjusted = adjustedPValues(ps);
  return ps.reduce(
    (most, p, at) => ((adjusted[at] ?? 1) <= FALSE_DISCOVERIES ? Math.max(most, p) : most),
    -1,
  );
}

function triageOf(
  { triaged, times }: BacktestHistory,
  index: number,
  window: number,
): Pick<BacktestAlert, 'triage' | 'delay'> {
  const near = triaged.filter((change) => index >= change.index && index < change.index + window);
  const change = near.reduce<TriagedChange | undefined>(
    (latest, one) => (latest === undefined || one.index > latest.index ? one : latest),
    undefined,
  );
  if (change === undefined) return {};
  const days = ((times[index] ?? 0) - (times[change.index] ?? 0)) / DAY_MS;
  return { triage: change.triage, delay: { values: index - change.index, days } };
}

/** A stored series, and how people triaged its changes. */
export interface BacktestHistory {
  readonly name: string;
  readonly values: Float64Array;
  /** Milliseconds since 1970, as many as values, rising. */
  readonly times: Float64Array;
  readonly lowerBetter: boolean | undefined;
  readonly triaged: readonly TriagedChange[];
}

export interface TriagedChange {
  /** Index of the first value at the new level. */
  readonly index: number;
  readonly triage: 'true' | 'expected' | 'false';
}

export interface BacktestOptions {
  /** Values before the first that a method judges. */
  readonly minHistory: number;
  /** Values after a change in which an alert belongs to it. */
  readonly window: number;
  /** Values before this time are only history. */
  readonly since: number;
}

export const BACKTEST_DEFAULTS: BacktestOptions = {
  minHistory: 3,
  window: 5,
  since: Number.NEGATIVE_INFINITY,
};

export interface BacktestAlert {
  readonly series: string;
  readonly index: number;
  readonly at: number;
  readonly description: string;
  /** Triage of the change that it belongs to; absent where there is none. */
  readonly triage?: TriagedChange['triage'];
  /** From the change to the alert. */
  readonly delay?: { readonly values: number; readonly days: number };
}
