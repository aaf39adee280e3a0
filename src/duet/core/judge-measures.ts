import type { Measure, Measures } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { median } from '../../stats/summary.ts';
import type { Judgement } from '../../stats/verdict.ts';
import type { Timing } from './command-timer.ts';
import type { PairRatio } from './pair-plan.ts';

/** One measure of a comparison, judged over the same pairs as the others. */
export interface JudgedMeasure {
  readonly measure: Measure;
  readonly judgement: Judgement;
}

/** auto: wall time, and CPU time where wall time is undecided and the commands do nothing but compute. */
export type DecidingMeasure = Measure | 'auto';

/** A measure that may decide, and its part of the false alarms that the level allows. */
export interface Decider {
  readonly measure: Measure;
  readonly part: number;
}

/**
 * The part of CPU time where two measures may decide. Both together keep the level, whatever they have in common (Bonferroni).
 * Under load CPU time has a fraction of the noise, so a hundredth is enough for it, and wall time loses little.
 */
const CPU_PART = 0.2;

/** In the order in which they are asked. Fixed before the first pair that counts. */
export function decidersFor(choice: DecidingMeasure, isCpuBound: boolean): readonly Decider[] {
  if (choice !== 'auto') return [{ measure: choice, part: 1 }];
  if (!isCpuBound) return [{ measure: 'wall', part: 1 }];
  return [
    { measure: 'wall', part: 1 - CPU_PART },
    { measure: 'cpu', part: CPU_PART },
  ];
}

/** The level at which a measure is judged for its part. */
export function levelFor(level: number, part: number): number {
  return 1 - (1 - level) * part;
}

/** A command with less than this of its time on a CPU, or waiting for one, waits for something else. */
const CPU_BOUND = 0.9;
/** Sides whose numbers of busy threads differ more: CPU time then says little about wall time. */
const ALIKE = 1.5;

/** Whether more CPU time means more wall time, by a pair that does not count: both sides only compute, in as many threads. */
export function isCpuBound({ A, B }: Readonly<Partial<Record<Side, Timing>>>): boolean {
  if (!A || !B || [A, B].some((timing) => whyNoCpu([timing]) !== undefined)) return false;
  const shares = [A, B].map(({ measures: { cpu = 0, wall }, runnable }) => runnable ?? cpu / wall);
  return Math.min(...shares) >= CPU_BOUND && Math.max(...shares) <= ALIKE * Math.min(...shares);
}

/** A step is then a tenth of a run at most; the rest is left to the many runs. */
const LEAST_STEPS = 10;

/** Why the CPU time of these runs cannot be compared; undefined when it can. */
export function whyNoCpu(runs: readonly Timing[]): string | undefined {
  const times = runs.flatMap(({ measures: { cpu } }) => (cpu === undefined ? [] : [cpu]));
  if (times.length < runs.length || times.length === 0) return 'the system does not report it';
  const step = Math.max(...runs.map(({ cpuStepNs = 0 }) => cpuStepNs)) / 1e9;
  if (median(times) >= LEAST_STEPS * step && times.every((time) => time > 0)) return undefined;
  return `the runs are too short for it: it is counted in steps of ${step * 1000} ms`;
}

/** Measured values of both sides of a pair. */
export interface MeasuredPair {
  /** Its number, from 0 on; pairs that were left out have one too. */
  readonly pair: number;
  readonly A: Measures;
  readonly B: Measures;
}

/** The ratios of one measure; undefined where a pair does not have it. */
export function ratiosOf(pairs: readonly MeasuredPair[], measure: Measure): readonly PairRatio[] | undefined {
  const ratios = pairs.map(({ pair, A, B }) => ({
    pair,
    logRatio: Math.log((B[measure] ?? 0) / (A[measure] ?? 0)),
  }));
  return ratios.every(({ logRatio }) => Number.isFinite(logRatio)) ? ratios : undefined;
}

export interface Concluded {
  readonly judgement: Judgement;
  readonly decidedBy: Measure;
}

/** The verdict of the first measure that has one, else a likely one, else that of the first measure; p is corrected for those that may decide. */
export function conclude(judged: readonly JudgedMeasure[], deciders: readonly Decider[]): Concluded {
  const asked = deciders.flatMap(({ measure, part }) => {
    const found = judged.find((one) => one.measure === measure);
    return found ? [{ ...found, part }] : [];
  });
  const [first] = asked;
  if (!first) throw new RangeError('no measure that may decide was judged');
  const decided =
    asked.find((one) => one.judgement.verdict !== 'undecided') ??
    asked.find((one) => one.judgement.likely) ??
    first;
  const { measure, judgement } = decided;
  const p = Math.min(1, ...asked.map((one) => (one.judgement.p ?? 1) / one.part));
  return { judgement: judgement.p === undefined ? judgement : { ...judgement, p }, decidedBy: measure };
}
