import { median } from '../../../stats/summary.ts';
import { type Share, wilsonShare } from '../../../stats/wilson.ts';
import type { RegressionMethod } from '../regression/regression-method.ts';
import {
  alertsOf,
  BACKTEST_DEFAULTS,
  type BacktestAlert,
  type BacktestHistory,
  type BacktestOptions,
  heldBackAlarms,
  type Replay,
  replay,
} from './replay-history.ts';

/** What a method would have done. */
export interface Backtest {
  readonly method: string;
  readonly alerts: readonly BacktestAlert[];
  readonly judged: number;
  /** Values that the method could not judge, and those that are failures or gaps. */
  readonly notJudged: number;
  readonly gaps: number;
  /** Alarms that were none: among the series of one run some look changed by chance. */
  readonly heldBack: number;
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
  options: Partial<BacktestOptions> & { readonly method: string },
): Backtest {
  const { method, since, window } = { ...BACKTEST_DEFAULTS, ...options };
  const held = heldBackAlarms(replays);
  const alerts = histories.flatMap((history, place) => {
    const one = replays[place];
    return one ? alertsOf(history, one, { held: held[place] ?? new Set(), window }) : [];
  });
  const span = spanOf(histories, since);
  // Several nights of one evening make no week.
  const weeks = span < DAY_MS ? 0 : span / (7 * DAY_MS);
  return {
    method,
    alerts,
    judged: total(replays, 'judged'),
    notJudged: total(replays, 'notJudged'),
    gaps: total(replays, 'gaps'),
    heldBack: held.reduce((sum, { size }) => sum + size, 0),
    ...(weeks > 0 ? { alertsPerWeek: alerts.length / weeks } : {}),
    ...scoreOf(histories, alerts, since),
  };
}

function scoreOf(
  histories: readonly BacktestHistory[],
  alerts: readonly BacktestAlert[],
  since: number,
): Pick<Backtest, 'precision' | 'found' | 'medianDelay'> {
  const reviewed = alerts.filter(({ triage }) => triage !== undefined);
  const right = reviewed.filter(({ triage }) => triage !== 'false');
  const real = histories.flatMap(({ name, triaged, times }) =>
    triaged
      .filter(({ triage, index }) => triage === 'true' && (times[index] ?? 0) >= since)
      .map(({ index }) => `${index} ${name}`),
  );
  const hits = new Set(right.map(({ series, index, delay }) => `${index - (delay?.values ?? 0)} ${series}`));
  const precision = wilsonShare(right.length, reviewed.length);
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

function total(replays: readonly Replay[], key: 'judged' | 'notJudged' | 'gaps'): number {
  return replays.reduce((sum, one) => sum + one[key], 0);
}
