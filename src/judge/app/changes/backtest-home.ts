import { type ChangeState, seriesKey, seriesText } from '../../../home/core/changes/change.ts';
import type { GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { type Backtest, concludeBacktest } from '../../core/backtest/backtest.ts';
import {
  type BacktestHistory,
  type Replay,
  replay,
  type TriagedChange,
} from '../../core/backtest/replay-history.ts';
import type { RegressionMethod } from '../../core/regression/regression-method.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import { type LoadedSeries, seriesToJudge } from '../series/series-to-judge.ts';
import { knownSteps, withoutMachine } from './known-machine-steps.ts';

export interface BacktestRequest {
  readonly method: RegressionMethod;
  readonly rules: JudgingRules;
  /** Only values of these last days are judged; absent: all. */
  readonly days?: number;
}

export interface BacktestEffects {
  readonly store: Store;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** Called after each series with the count of those that are done. */
  report(series: number): void;
}

/** What a method would have reported on the history of a home, compared with the triage of its changes. */
export async function backtestHome(
  { method, rules, days }: BacktestRequest,
  ledger: GrowingLedger,
  { store, clock, signal, report }: BacktestEffects,
): Promise<Backtest & { readonly series: number }> {
  const since = days === undefined ? Number.NEGATIVE_INFINITY : clock.now() - days * DAY_MS;
  const histories: BacktestHistory[] = [];
  const replays: Replay[] = [];
  const steps = method.name === 'nightmark' ? await knownSteps(ledger, store) : new Map();
  for await (const loaded of seriesToJudge(store, {}, (series) => !rules.isIgnored(series))) {
    // Methods are synchronous: interruptions are noticed between series.
    await clock.sleep(0);
    if (signal.aborted) throw new NightmarkError('CHANGES_INTERRUPTED', 'The backtest was interrupted.');
    // Our own judge takes out what machines did; the others know nothing of machines.
    const history = toHistory(withoutMachine(loaded, steps), ledger);
    const one = replay(history, method, { since });
    replays.push(one);
    // Values are not needed any more, and a home may have many.
    histories.push({ ...history, values: new Float64Array() });
    report(histories.length);
  }
  return {
    series: histories.length,
    ...concludeBacktest(histories, replays, { method: method.name, since }),
  };
}

const DAY_MS = 86_400_000;

function toHistory({ series, better, history }: LoadedSeries, ledger: GrowingLedger): BacktestHistory {
  const changes = (ledger.bySeries.get(seriesKey(series)) ?? []).flatMap(
    (id) => ledger.changes.get(id) ?? [],
  );
  const triaged = changes.flatMap(({ state, runId, direction }): readonly TriagedChange[] => {
    const index = history.runIds.lastIndexOf(runId);
    const triage = TRIAGE[state];
    // Methods report only what got worse.
    return triage === undefined || index < 0 || direction === 'better' ? [] : [{ index, triage }];
  });
  return {
    name: seriesText(series),
    values: history.values,
    times: history.times,
    lowerBetter: better === 'unknown' ? undefined : better === 'lower',
    triaged,
  };
}

const TRIAGE: Readonly<Partial<Record<ChangeState, TriagedChange['triage']>>> = {
  confirmed: 'true',
  fixed: 'true',
  expected: 'expected',
  false: 'false',
};
