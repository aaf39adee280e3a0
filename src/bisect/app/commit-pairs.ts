import type { CommandSide, CompareRequest } from '../../duet/app/compare-request.ts';
import { PairRunner, type PairTimings, sidesIn } from '../../duet/app/pair-runner.ts';
import type { TimerSession, Timing } from '../../duet/core/command-timer.ts';
import type { DuetOrder } from '../../duet/core/duet.ts';
import { isCpuBound, whyNoCpu } from '../../duet/core/judge-measures.ts';
import { type CoreHalves, pairOrders } from '../../duet/core/pair-plan.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { BisectMetric } from '../core/bisect-metric.ts';
import { CPU } from '../core/evidence.ts';
import { type MeasuredSide, metricValue } from './choose-metric.ts';

export interface PairSettings {
  readonly mode: 'together' | 'alternate';
  readonly seed: number;
  readonly timeoutMs?: number;
  readonly cores?: CoreHalves;
  /** The only measure of the runs that counts; absent: all that may decide. */
  readonly measure?: string;
}

/** One pair, or why the commit cannot be measured. */
export type CommitPair = Measured | { readonly state: 'failed'; readonly reason: string };

interface Measured {
  readonly state: 'measured';
  readonly order: DuetOrder;
  readonly good: number;
  readonly value: number;
  /** What else the same runs were measured by, where the metric is their time. */
  readonly measures: Readonly<Record<string, { readonly good: number; readonly value: number }>>;
}

/** Which pair of a commit. */
export interface PairPlace {
  readonly commit: number;
  readonly build: number;
  /** How many pairs of this build there were before; orders follow from it. */
  readonly number: number;
  readonly metric: BisectMetric;
}

/** Runs pairs of the good commit and another one. */
export class CommitPairs {
  readonly #good: MeasuredSide;
  readonly #settings: PairSettings;
  readonly #session: TimerSession;
  readonly #signal: CancelSignal;
  #mayCpuDecide = false;

  constructor(
    good: MeasuredSide,
    settings: PairSettings,
    { session, signal }: { readonly session: TimerSession; readonly signal: CancelSignal },
  ) {
    this.#good = good;
    this.#settings = settings;
    this.#session = session;
    this.#signal = signal;
  }

  /**
   * Runs the good commit alone, once: later failures are caused by the other one. Where it does nothing but compute, more CPU
   * time means more wall time, and CPU time may decide.
   */
  async checkGood(): Promise<void> {
    await this.#good.results?.clear();
    const { A } = await this.#guarded(this.#runner(this.#good).alone('A', 0, { isWatched: true }));
    if (!this.#signal.aborted) requireGood(A, this.#good);
    const isWanted = this.#settings.measure === CPU;
    if (isWanted && A) requireCpu(A);
    this.#mayCpuDecide = isWanted || (A !== undefined && isCpuBound({ A, B: A }));
  }

  async measure(side: MeasuredSide, { commit, build, number, metric }: PairPlace): Promise<CommitPair> {
    const order = orderOf(this.#settings.seed + commit + BUILD_SEEDS * build, number);
    let timings: PairTimings = {};
    try {
      timings = await this.#run(side, order, number);
    } catch (error) {
      if (error instanceof NightmarkError && !this.#signal.aborted)
        return { state: 'failed', reason: error.message };
      throw error;
    }
    if (this.#signal.aborted) throw interrupted();
    const { A, B } = timings;
    if (!B || !isFine(B)) return { state: 'failed', reason: reasonOf(B, this.#settings) };
    requireGood(A, this.#good);
    const value = await this.#read(side, B, metric);
    if (typeof value === 'string') return { state: 'failed', reason: value };
    const good = await this.#read(this.#good, A, metric);
    if (typeof good === 'string') throw unreadGood(this.#good, good);
    const measures = metric.type === 'wall' ? this.#cpuTimes(A, B) : {};
    return { state: 'measured', order, good, value, measures };
  }

  /** The CPU time of both runs, where it may decide. */
  #cpuTimes(A: Timing | undefined, B: Timing): Measured['measures'] {
    const [good, value] = [A?.measures.cpu, B.measures.cpu];
    return this.#mayCpuDecide && good && value ? { [CPU]: { good, value } } : {};
  }

  async #run(side: MeasuredSide, order: DuetOrder, number: number): Promise<PairTimings> {
    const runner = this.#runner(side);
    await this.#good.results?.clear();
    await side.results?.clear();
    if (this.#settings.mode === 'together') return runner.together(order, number);
    let timings: PairTimings = {};
    for (const one of sidesIn(order)) timings = { ...timings, ...(await runner.alone(one, number)) };
    return timings;
  }

  /** The value of the metric, or why there is none. */
  async #read(
    { results }: MeasuredSide,
    timing: Timing | undefined,
    metric: BisectMetric,
  ): Promise<number | string> {
    if (metric.type === 'wall' || !results) return (timing?.wallNs ?? 0) / 1e9;
    try {
      return metricValue(metric, await results.read());
    } catch (error) {
      if (this.#signal.aborted) throw interrupted();
      if (error instanceof NightmarkError && error.code !== 'DISK_FULL') return error.message;
      throw error;
    }
  }

  async #guarded(work: Promise<PairTimings>): Promise<PairTimings> {
    const timings = await work;
    if (this.#signal.aborted) throw interrupted();
    return timings;
  }

  #runner(B: CommandSide): PairRunner {
    const { mode, seed, timeoutMs, cores } = this.#settings;
    const request: CompareRequest = {
      sides: { A: this.#good, B } satisfies Record<Side, CommandSide>,
      ...{ parameters: {}, mode, seed, count: { type: 'exact', pairs: 1 }, warmup: 0, stop: 'never' },
      ...{ level: 0.95, minEffect: 0, ignoreFailure: true, output: 'tail', notes: [] },
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(cores && { cores }),
    };
    return new PairRunner(request, this.#session, this.#signal);
  }
}

/** Each build has its own sequence of orders. */
const BUILD_SEEDS = 104_729;

export function interrupted(): NightmarkError {
  return new NightmarkError('BISECT_INTERRUPTED', 'The search was interrupted.', {
    hint: 'What was measured is kept: nightmark bisect --resume',
  });
}

function orderOf(seed: number, number: number): DuetOrder {
  const orders = pairOrders(seed);
  for (let at = 0; at < number; at++) orders.next();
  return orders.next().value;
}

function isFine(timing: Timing | undefined): boolean {
  return timing?.exit.type === 'code' && timing.exit.code === 0;
}

function reasonOf(timing: Timing | undefined, { timeoutMs }: PairSettings): string {
  if (timing?.exit.type === 'code') {
    const last = timing.tail.trim().split('\n').at(-1) ?? '';
    return `it ends with exit code ${timing.exit.code}${last === '' ? '' : `: ${last}`}`;
  }
  return timeoutMs === undefined ? 'it fails' : `a pair takes longer than ${timeoutMs} ms`;
}

function unreadGood({ name }: CommandSide, reason: string): NightmarkError {
  return new NightmarkError('BISECT_GOOD_FAILED', `The good commit ${name} gives no value: ${reason}`, {
    hint: 'Every pair needs it. Name another good commit, another --metric, or compare times: --metric wall.',
  });
}

function requireCpu(timing: Timing): void {
  const reason = whyNoCpu([timing]);
  if (reason === undefined) return;
  throw new NightmarkError('BISECT_NO_METRIC', `CPU time cannot be compared: ${reason}.`, {
    hint: '--metric wall compares the time from start to end.',
  });
}

function requireGood(timing: Timing | undefined, { command, name }: CommandSide): void {
  if (isFine(timing)) return;
  const code =
    timing?.exit.type === 'code' ? `ends with exit code ${timing.exit.code}` : 'does not end in time';
  const output = timing?.tail.trim()
    ? `\nIts output:\n${timing.tail.trim().split('\n').slice(-10).join('\n')}`
    : '';
  throw new NightmarkError('BISECT_GOOD_FAILED', `The good commit ${name} ${code}: ${command}${output}`, {
    hint: 'Every pair needs it. Fix the command or the build, give more --timeout, or name another good commit.',
  });
}
