import { isCounter, type Measure } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { type Look, planLooks } from '../../stats/sequential-looks.ts';
import { judgeLogRatios } from '../../stats/verdict.ts';
import type { Timing } from '../core/command-timer.ts';
import type { DuetOrder } from '../core/duet.ts';
import {
  conclude,
  type Decider,
  type DecidingMeasure,
  decidersFor,
  isCpuBound,
  type JudgedMeasure,
  levelFor,
  type MeasuredPair,
  ratiosOf,
} from '../core/judge-measures.ts';
import { countPairs, pairOrders, pairsAUnit, unitRatios } from '../core/pair-plan.ts';
import type { CompareEffects, CompareRequest } from './compare-request.ts';
import { type PairRunner, type PairTimings, sidesIn } from './pair-runner.ts';

/** What was measured, side by side. */
export interface Measured {
  readonly orders: readonly DuetOrder[];
  readonly runs: Readonly<Record<Side, readonly Timing[]>>;
  /** None when the sides ran one after another. */
  readonly pairs: readonly MeasuredPair[];
  /** Further pairs, run with counters. */
  readonly counted: readonly MeasuredPair[];
  /** Pairs left out because a side ran into the timeout. */
  readonly dropped: number;
  readonly isInterrupted: boolean;
  readonly plan: StopPlan;
  /** The last pair of the warm-up: which measures may decide rests on it. */
  readonly warm: PairTimings;
}

/** Warms up, decides how many pairs fit, and runs them until all are done, a verdict is reached, or the user interrupts. */
export async function measurePairs(
  request: CompareRequest,
  runner: PairRunner,
  effects: CompareEffects,
): Promise<Measured> {
  let seconds: number | undefined;
  let warm: PairTimings = {};
  for (let done = 0; done < request.warmup && !effects.signal.aborted; done++) {
    effects.notify({ type: 'warming-up', done, of: request.warmup });
    const began = effects.clock.micros();
    const order = done % 2 === 0 ? 'AB' : 'BA';
    warm = await runPair(request, runner, { order, pair: done, isWatched: deciding(request) === 'auto' });
    seconds = (effects.clock.micros() - began) / 1e6;
  }
  const orders = pairOrders(request.seed);
  const loop: Loop = { request, runner, effects, orders, secondsAPair: seconds, warm };
  const measured = request.mode === 'one-after-another' ? await measureSides(loop) : await measureBoth(loop);
  return { ...measured, counted: await countPairsOf(measured, loop) };
}

interface Loop {
  readonly request: CompareRequest;
  readonly runner: PairRunner;
  readonly effects: CompareEffects;
  readonly orders: Generator<DuetOrder, never>;
  /** From the warm-up; without one it is measured by the first pair. */
  readonly secondsAPair: number | undefined;
  readonly warm: PairTimings;
}

type MeasuredTimes = Omit<Measured, 'counted'>;

async function measureBoth(loop: Loop): Promise<MeasuredTimes> {
  const { request, runner, orders, warm } = loop;
  const { clock, signal, notify } = loop.effects;
  const isCounted = isCounter(deciding(request));
  const taken: DuetOrder[] = [];
  const runs: Record<Side, Timing[]> = { A: [], B: [] };
  const pairs: MeasuredPair[] = [];
  let plan = planFrom(loop, loop.secondsAPair);
  let dropped = 0;
  for (let pair = 0; pair < (plan?.pairs ?? 1); pair++) {
    const order = orders.next().value;
    const began = clock.micros();
    const { A, B } = await runPair(request, runner, { order, pair, isCounted });
    if (signal.aborted) break;
    if (A && B) {
      taken.push(order);
      runs.A.push(A);
      runs.B.push(B);
      pairs.push({ pair, A: A.measures, B: B.measures });
    } else dropped++;
    plan ??= planFrom(loop, (clock.micros() - began) / 1e6);
    const logRatio = A && B && Math.log(B.wallNs / A.wallNs);
    const planned = plan?.pairs ?? 1;
    notify({ type: 'measured', done: pair + 1, planned, ...(logRatio !== undefined && { logRatio }) });
    if (plan && isDecided(plan, pairs, request)) break;
  }
  plan ??= planStop(loop, 1);
  return { orders: taken, runs, pairs, dropped, isInterrupted: signal.aborted, plan, warm };
}

/** All of A, then all of B: for those who want to see the difference. */
async function measureSides(loop: Loop): Promise<MeasuredTimes> {
  const { request, runner, warm } = loop;
  const { clock, signal, notify } = loop.effects;
  const isCounted = isCounter(deciding(request));
  const runs: Record<Side, Timing[]> = { A: [], B: [] };
  let plan = planFrom(loop, loop.secondsAPair);
  let dropped = 0;
  for (const side of ['A', 'B'] as const) {
    for (let run = 0; run < (plan?.pairs ?? 1) && !signal.aborted; run++) {
      const began = clock.micros();
      const timing = (await runner.alone(side, 0, { isCounted }))[side];
      if (signal.aborted) break;
      if (timing) runs[side].push(timing);
      else dropped++;
      plan ??= planFrom(loop, (2 * (clock.micros() - began)) / 1e6);
      const planned = plan?.pairs ?? 1;
      notify({ type: 'measured', done: (side === 'A' ? 0 : planned) + run + 1, planned: 2 * planned });
    }
  }
  plan ??= planStop(loop, 1);
  return { orders: [], runs, pairs: [], dropped, isInterrupted: signal.aborted, plan, warm };
}

function deciding({ measure = 'auto' }: CompareRequest): DecidingMeasure {
  return measure;
}

/** Counts hardly vary: more pairs would only take time. */
const COUNTED_PAIRS = 10;

/** What counts adds milliseconds to every run, so pairs with counters are pairs of their own. */
async function countPairsOf(
  { runs }: MeasuredTimes,
  { request, runner, orders, effects }: Loop,
): Promise<readonly MeasuredPair[]> {
  const counted: MeasuredPair[] = [];
  const isWanted = request.counters !== undefined && request.counters.counters.length > 0;
  // Those of a comparison that a counter decides were counted themselves.
  const wanted = isWanted && !isCounter(deciding(request)) ? Math.min(COUNTED_PAIRS, runs.A.length) : 0;
  for (let pair = 0; pair < wanted; pair++) {
    const order = orders.next().value;
    const { A, B } = await runPair(request, runner, { order, pair, isCounted: true });
    if (effects.signal.aborted) break;
    if (A && B) counted.push({ pair, A: A.measures, B: B.measures });
  }
  return counted;
}

/** Undefined as long as nothing is known of how long a pair takes, and that matters. */
function planFrom(loop: Loop, secondsAPair: number | undefined): StopPlan | undefined {
  const { count, mode } = loop.request;
  if (count.type === 'exact') return planStop(loop, count.pairs);
  if (secondsAPair === undefined) return undefined;
  // The requested time is that of one side.
  return planStop(loop, countPairs(count, mode === 'together' ? secondsAPair : secondsAPair / 2));
}

interface OnePair {
  readonly order: DuetOrder;
  readonly pair: number;
  readonly isCounted?: boolean;
  readonly isWatched?: boolean;
}

async function runPair(
  { mode }: CompareRequest,
  runner: PairRunner,
  { order, pair, ...how }: OnePair,
): Promise<PairTimings> {
  if (mode === 'together') return runner.together(order, pair, how);
  let found: PairTimings = {};
  for (const side of sidesIn(order)) found = { ...found, ...(await runner.alone(side, pair, how)) };
  return found;
}

/** How many pairs at most, and when it may end before. */
interface StopPlan {
  readonly pairs: number;
  /** Pairs that count as one run of the statistics. */
  readonly unit: 1 | 2;
  /** Their runs are units; those of all measures fall together. */
  readonly deciders: readonly (Decider & { readonly looks: readonly Look[] })[];
}

function planStop({ request, warm }: Loop, pairs: number): StopPlan {
  const { stop, level, mode, cores } = request;
  const unit = pairsAUnit(pairs, cores !== undefined || mode === 'alternate');
  const runs = Math.floor(pairs / unit);
  const looksAt = (own: number) => (stop === 'when-decided' ? planLooks(runs, own) : [{ runs, level: own }]);
  const deciders = decidersFor(deciding(request), isCpuBound(warm)).map((decider) => ({
    ...decider,
    looks: looksAt(levelFor(level, decider.part)),
  }));
  return { pairs, unit, deciders };
}

/** True when a sequential look is due after these pairs, and it has a verdict. */
function isDecided(plan: StopPlan, pairs: readonly MeasuredPair[], request: CompareRequest): boolean {
  const [first] = plan.deciders;
  // No look is due after most pairs: they are not averaged again.
  if (!first?.looks.some(({ runs }) => runs === Math.floor(pairs.length / plan.unit))) return false;
  const { judged, look, units } = judgeAtLook(plan, pairs, request);
  const isDue = first.looks[look.number - 1]?.runs === units;
  return isDue && judged.length > 0 && conclude(judged, plan.deciders).judgement.verdict !== 'undecided';
}

interface JudgedPairs {
  /** Of the measures that may decide, those that could be measured. */
  readonly judged: readonly JudgedMeasure[];
  readonly look: { readonly number: number; readonly of: number };
  readonly units: number;
}

/** The verdicts of the pairs so far, at the level of the look that is due now, or of the next one. */
export function judgeAtLook(
  { deciders, unit }: StopPlan,
  pairs: readonly MeasuredPair[],
  { level, minEffect }: CompareRequest,
): JudgedPairs {
  const [first] = deciders;
  const looks = first?.looks ?? [];
  const units = unitsOf(pairs, first?.measure ?? 'wall', unit)?.length ?? 0;
  const next = looks.findIndex(({ runs }) => runs >= units);
  const index = next < 0 ? looks.length - 1 : next;
  const isEarly = index < looks.length - 1;
  const judged = deciders.flatMap((decider) => {
    const ratios = unitsOf(pairs, decider.measure, unit);
    if (!ratios) return [];
    const options = { level: decider.looks[index]?.level ?? level, minEffect, isEarly };
    return [{ measure: decider.measure, judgement: judgeLogRatios(ratios, options) }];
  });
  return { judged, look: { number: index + 1, of: looks.length }, units };
}

/** Undefined where the measure is missing. */
export function unitsOf(
  pairs: readonly MeasuredPair[],
  measure: Measure,
  unit: 1 | 2,
): Float64Array | undefined {
  const ratios = ratiosOf(pairs, measure);
  return ratios && unitRatios(ratios, unit);
}
