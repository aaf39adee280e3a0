import type { Side } from '../../git/core/version-pairs.ts';
import { type Look, planLooks } from '../../stats/sequential-looks.ts';
import { type Judgement, judgeLogRatios } from '../../stats/verdict.ts';
import type { Timing } from '../core/command-timer.ts';
import type { DuetOrder } from '../core/duet.ts';
import { countPairs, type PairRatio, pairOrders, pairsAUnit, unitRatios } from '../core/pair-plan.ts';
import type { CompareEffects, CompareRequest } from './compare-request.ts';
import { type PairRunner, type PairTimings, sidesIn } from './pair-runner.ts';

/** What was measured, side by side. */
export interface Measured {
  readonly orders: readonly DuetOrder[];
  readonly runs: Readonly<Record<Side, readonly Timing[]>>;
  /** Pair by pair; none when the sides ran one after another. */
  readonly ratios: readonly PairRatio[];
  /** Pairs left out because a side ran into the timeout. */
  readonly dropped: number;
  readonly isInterrupted: boolean;
  readonly plan: StopPlan;
}

/** Warms up, decides how many pairs fit, and runs them until all are done, a verdict is reached, or the user interrupts. */
export async function measurePairs(
  request: CompareRequest,
  runner: PairRunner,
  effects: CompareEffects,
): Promise<Measured> {
  let seconds: number | undefined;
  for (let done = 0; done < request.warmup && !effects.signal.aborted; done++) {
    effects.notify({ type: 'warming-up', done, of: request.warmup });
    const began = effects.clock.micros();
    await runPair(request, runner, { order: done % 2 === 0 ? 'AB' : 'BA', pair: done });
    seconds = (effects.clock.micros() - began) / 1e6;
  }
  const loop = { request, runner, effects, orders: pairOrders(request.seed), secondsAPair: seconds };
  return request.mode === 'one-after-another' ? measureSides(loop) : measureBoth(loop);
}

interface Loop {
  readonly request: CompareRequest;
  readonly runner: PairRunner;
  readonly effects: CompareEffects;
  readonly orders: Generator<DuetOrder, never>;
  /** From the warm-up; without one it is measured by the first pair. */
  readonly secondsAPair: number | undefined;
}

async function measureBoth({ request, runner, effects, orders, secondsAPair }: Loop): Promise<Measured> {
  const { clock, signal, notify } = effects;
  const taken: DuetOrder[] = [];
  const runs: Record<Side, Timing[]> = { A: [], B: [] };
  const ratios: PairRatio[] = [];
  let plan = planFrom(request, secondsAPair);
  let dropped = 0;
  for (let pair = 0; pair < (plan?.pairs ?? 1); pair++) {
    const order = orders.next().value;
    const began = clock.micros();
    const { A, B } = await runPair(request, runner, { order, pair });
    if (signal.aborted) break;
    if (A && B) {
      taken.push(order);
      runs.A.push(A);
      runs.B.push(B);
      ratios.push({ pair, logRatio: Math.log(B.wallNs / A.wallNs) });
    } else dropped++;
    plan ??= planFrom(request, (clock.micros() - began) / 1e6);
    const logRatio = A && B ? ratios.at(-1)?.logRatio : undefined;
    const planned = plan?.pairs ?? 1;
    notify({ type: 'measured', done: pair + 1, planned, ...(logRatio !== undefined && { logRatio }) });
    if (plan && isDecided(plan, ratios, request)) break;
  }
  plan ??= planStop(request, 1);
  return { orders: taken, runs, ratios, dropped, isInterrupted: signal.aborted, plan };
}

/** All of A, then all of B: for those who want to see the difference. */
async function measureSides({ request, runner, effects, secondsAPair }: Loop): Promise<Measured> {
  const { clock, signal, notify } = effects;
  const runs: Record<Side, Timing[]> = { A: [], B: [] };
  let plan = planFrom(request, secondsAPair);
  let dropped = 0;
  for (const side of ['A', 'B'] as const) {
    for (let run = 0; run < (plan?.pairs ?? 1) && !signal.aborted; run++) {
      const began = clock.micros();
      const timing = (await runner.alone(side, 0))[side];
      if (signal.aborted) break;
      if (timing) runs[side].push(timing);
      else dropped++;
      plan ??= planFrom(request, (2 * (clock.micros() - began)) / 1e6);
      const planned = plan?.pairs ?? 1;
      notify({ type: 'measured', done: (side === 'A' ? 0 : planned) + run + 1, planned: 2 * planned });
    }
  }
  plan ??= planStop(request, 1);
  return { orders: [], runs, ratios: [], dropped, isInterrupted: signal.aborted, plan };
}

/** Undefined as long as nothing is known of how long a pair takes, and that matters. */
function planFrom(request: CompareRequest, secondsAPair: number | undefined): StopPlan | undefined {
  const { count, mode } = request;
  if (count.type === 'exact') return planStop(request, count.pairs);
  if (secondsAPair === undefined) return undefined;
  // The requested time is that of one side.
  return planStop(request, countPairs(count, mode === 'together' ? secondsAPair : secondsAPair / 2));
}

async function runPair(
  { mode }: CompareRequest,
  runner: PairRunner,
  { order, pair }: { readonly order: DuetOrder; readonly pair: number },
): Promise<PairTimings> {
  if (mode === 'together') return runner.together(order, pair);
  let found: PairTimings = {};
  for (const side of sidesIn(order)) found = { ...found, ...(await runner.alone(side, pair)) };
  return found;
}

/** How many pairs at most, and when it may end before. */
interface StopPlan {
  readonly pairs: number;
  /** Pairs that count as one run of the statistics. */
  readonly unit: 1 | 2;
  /** Their runs are units. */
  readonly looks: readonly Look[];
}

function planStop({ stop, level, mode, cores }: CompareRequest, pairs: number): StopPlan {
  const unit = pairsAUnit(pairs, cores !== undefined || mode === 'alternate');
  const runs = Math.floor(pairs / unit);
  const looks = stop === 'when-decided' ? planLooks(runs, level) : [{ runs, level }];
  return { pairs, unit, looks };
}

/** True when a sequential look is due after these pairs, and it has a verdict. */
function isDecided(plan: StopPlan, ratios: readonly PairRatio[], request: CompareRequest): boolean {
  const isLook = (count: number) => plan.looks.some(({ runs }) => runs === count);
  // No look is due after most pairs: they are not averaged again.
  if (!isLook(Math.floor(ratios.length / plan.unit))) return false;
  if (!isLook(unitRatios(ratios, plan.unit).length)) return false;
  return judgeAtLook(plan, ratios, request).judgement.verdict !== 'undecided';
}

export interface Judged {
  readonly judgement: Judgement;
  readonly look: { readonly number: number; readonly of: number };
}

/** The verdict of the pairs so far, at the level of the look that is due now, or of the next one. */
export function judgeAtLook(
  { looks, unit }: StopPlan,
  ratios: readonly PairRatio[],
  request: CompareRequest,
): Judged {
  const units = unitRatios(ratios, unit);
  const next = looks.findIndex(({ runs }) => runs >= units.length);
  const index = next < 0 ? looks.length - 1 : next;
  const level = looks[index]?.level ?? request.level;
  const isEarly = index < looks.length - 1;
  const judgement = judgeLogRatios(units, { level, minEffect: request.minEffect, isEarly });
  return { judgement, look: { number: index + 1, of: looks.length } };
}
