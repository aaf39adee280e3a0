import type { RegressionMethod } from '../regression/method.ts';
import { median } from '../stats/summary.ts';
import { type Share, wilsonShare } from './wilson.ts';

/** A stored series, and what people said of its changes. */
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
  /** Values before a method is asked. */
  readonly minHistory: number;
  /** Values after a change in which an alert belongs to it. */
  readonly patience: number;
  /** Values before this moment are only looked back at. */
  readonly since: number;
}

export const BACKTEST_DEFAULTS: BacktestOptions = {
  minHistory: 3,
  patience: 5,
  since: Number.NEGATIVE_INFINITY,
};

export interface BacktestAlert {
  readonly series: string;
  readonly index: number;
  readonly at: number;
  readonly description: string;
  /** What people said of the change that it belongs to; absent where they said nothing. */
  readonly triage?: TriagedChange['triage'];
  /** From the change to the alert. */
  readonly delay?: { readonly values: number; readonly days: number };
}

/** What a method would have done. */
export interface Backtest {
  readonly method: string;
  readonly alerts: readonly BacktestAlert[];
  readonly judged: number;
  /** Values that the method could not judge, and those that are failures or gaps. */
  readonly notJudged: number;
  readonly gaps: number;
  /** Over the time that the histories span together; absent where that is none. */
  readonly alertsPerWeek?: number;
  /** True and expected changes of the alerts that belong to a triaged one; absent where none does. */
  readonly precision?: Share;
  /** True changes that had an alert in time. */
  readonly found?: Share;
  readonly medianDelay?: { readonly values: number; readonly days: number };
}

/** Replays a method over histories, value by value: each is judged by those before it only. */
export function backtest(
  histories: readonly BacktestHistory[],
  method: RegressionMethod,
  options: Partial<BacktestOptions> = {},
): Backtest {
  const replays = histories.map((history) => replay(history, method, options));
  return concludeBacktest(histories, replays, { method: method.name, ...options });
}

/** What the replays of histories, one of each, say together. */
export function concludeBacktest(
  histories: readonly BacktestHistory[],
  replays: readonly Replay[],
  { method, since = BACKTEST_DEFAULTS.since }: Partial<BacktestOptions> & { readonly method: string },
): Backtest {
  const alerts = replays.flatMap((one) => one.alerts);
  const span = spanOf(histories, since);
  // Several nights of one evening make no week.
  const weeks = span < DAY_MS ? 0 : span / (7 * DAY_MS);
  return {
    method,
    alerts,
    judged: total(replays, 'judged'),
    notJudged: total(replays, 'notJudged'),
    gaps: total(replays, 'gaps'),
    ...(weeks > 0 ? { alertsPerWeek: alerts.length / weeks } : {}),
    ...scoreOf(histories, alerts, since),
  };
}

/** What a method says of the values of one history. */
export interface Replay {
  readonly alerts: readonly BacktestAlert[];
  readonly judged: number;
  readonly notJudged: number;
  readonly gaps: number;
}

/** Replays a method over one history. */
export function replay(
  history: BacktestHistory,
  method: RegressionMethod,
  partial: Partial<BacktestOptions> = {},
): Replay {
  const options = { ...BACKTEST_DEFAULTS, ...partial };
  const { values, times, lowerBetter } = history;
  const alerts: BacktestAlert[] = [];
  // Gaps are left out beforehand, so that methods need not know of them, and a prefix is only a view.
  const places = [...values.keys()].filter((place) => Number.isFinite(values[place]));
  const usable = Float64Array.from(places, (place) => values[place] ?? 0);
  let [judged, notJudged, quietFrom] = [0, 0, 0];
  for (let place = options.minHistory; place < usable.length; place++) {
    if ((times[places[place] ?? 0] ?? 0) < options.since) continue;
    const result = method.judge(usable.subarray(0, place), usable[place] ?? 0, { lowerBetter });
    if (result.accepted === undefined) notJudged++;
    else judged++;
    if (result.accepted !== false || (result.improved === true && lowerBetter !== undefined)) continue;
    // A method goes on about a new level until it has learned it, and its first values make the old level look noisier:
    // one alert, until two values in a row were accepted.
    if (place >= quietFrom) {
      const index = places[place] ?? 0;
      const described = {
        series: history.name,
        index,
        at: times[index] ?? 0,
        description: result.description,
      };
      alerts.push({ ...described, ...triageOf(history, index, options.patience) });
    }
    quietFrom = place + CALM + 1;
  }
  return { alerts, judged, notJudged, gaps: values.length - places.length };
}

function triageOf(
  { triaged, times }: BacktestHistory,
  index: number,
  patience: number,
): Pick<BacktestAlert, 'triage' | 'delay'> {
  const near = triaged.filter((change) => index >= change.index && index < change.index + patience);
  const change = near.reduce<TriagedChange | undefined>(
    (latest, one) => (latest === undefined || one.index > latest.index ? one : latest),
    undefined,
  );
  if (change === undefined) return {};
  const days = ((times[index] ?? 0) - (times[change.index] ?? 0)) / DAY_MS;
  return { triage: change.triage, delay: { values: index - change.index, days } };
}

function scoreOf(
  histories: readonly BacktestHistory[],
  alerts: readonly BacktestAlert[],
  since: number,
): Pick<Backtest, 'precision' | 'found' | 'medianDelay'> {
  const said = alerts.filter(({ triage }) => triage !== undefined);
  const right = said.filter(({ triage }) => triage !== 'false');
  const real = histories.flatMap(({ name, triaged, times }) =>
    triaged
      .filter(({ triage, index }) => triage === 'true' && (times[index] ?? 0) >= since)
      .map(({ index }) => `${index} ${name}`),
  );
  const hits = new Set(right.map(({ series, index, delay }) => `${index - (delay?.values ?? 0)} ${series}`));
  const precision = wilsonShare(right.length, said.length);
  const found = wilsonShare(real.filter((key) => hits.has(key)).length, real.length);
  const delays = right.flatMap(({ delay }) => delay ?? []);
  return {
    ...(precision === undefined ? {} : { precision }),
    ...(found === undefined ? {} : { found }),
    ...(delays.length === 0
      ? {}
      : {
          medianDelay: {
            values: median(delays.map(({ values }) => values)),
            days: median(delays.map(({ days }) => days)),
          },
        }),
  };
}

/** From the first to the last time of any history, in milliseconds. */
function spanOf(histories: readonly BacktestHistory[], since: number): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { times } of histories)
    for (const time of times)
      if (time >= since) [first, last] = [Math.min(first, time), Math.max(last, time)];
  return last > first ? last - first : 0;
}

const DAY_MS = 86_400_000;
/** Accepted values in a row after which the next alert is another one. */
const CALM = 2;

function total(replays: readonly Replay[], key: 'judged' | 'notJudged' | 'gaps'): number {
  return replays.reduce((sum, one) => sum + one[key], 0);
}
