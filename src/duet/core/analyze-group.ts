import type { Iterations } from '../../formats/core/iterations.ts';
import { type Judgement, judgeLogRatios } from '../../stats/verdict.ts';
import type { AnalysisOptions, GroupAnalysis, GroupCounts } from './duet-analysis.ts';
import type { DuetIterations } from './duet-iterations.ts';
import { groupNotes } from './group-notes.ts';
import type { RunGroup } from './group-runs.ts';
import { judgeSequential } from './judge-sequential.ts';
import { logTimeOf } from './measure-pairs.ts';
import { type MeasuredRun, measureRun } from './measure-run.ts';
import { otherEstimators } from './other-estimators.ts';
import { present, spreadOf, timesOf } from './pooled-times.ts';
import { costOf } from './run-cost.ts';

export interface Thoroughness {
  /** Also what other estimators say: resampling costs more than all the rest, so only where it is shown. */
  readonly withOthers: boolean;
}

/** Judges the runs of one benchmark at one place, run in one way. */
export function analyzeGroup(
  group: RunGroup,
  options: AnalysisOptions,
  { withOthers }: Thoroughness,
): GroupAnalysis {
  const [{ environment, suite, benchmark, type }] = group;
  const measured = group.map((run) => measureRun(run, options));
  const judged = type === 'seqn' ? judgeAlone(measured, options) : judgeTogether(measured, options);
  const notes = groupNotes({ measured, judgement: judged, options });
  const cost = costOf(group, options.compat);
  const share = overlapShare(group, measured);
  return {
    environment,
    suite,
    benchmark,
    type,
    judgement: { ...judged, notes: [...judged.notes, ...notes] },
    counts: countAll(group, measured),
    ...describeTimes(measured),
    ...(cost && { cost }),
    ...(share !== undefined && { overlapShare: share }),
    ...(withOthers && otherEstimators(group, options)),
    runs: measured.map(({ analysis }) => analysis),
  };
}

function judgeTogether(measured: readonly MeasuredRun[], options: AnalysisOptions): Judgement {
  return judgeLogRatios(present(measured.map(({ analysis }) => analysis.logRatio)), options);
}

function judgeAlone(measured: readonly MeasuredRun[], options: AnalysisOptions): Judgement {
  const logTimes = (side: 'A' | 'B') => {
    return present(measured.map((run) => run[side] && logTimeOf(run[side])));
  };
  return judgeSequential({ A: logTimes('A'), B: logTimes('B') }, options);
}

function countAll(group: RunGroup, measured: readonly MeasuredRun[]): GroupCounts {
  return {
    runs: group.length,
    iterationsA: total(group, ({ A }) => lengthOf(A)),
    iterationsB: total(group, ({ B }) => lengthOf(B)),
    warmup: total(measured, ({ warmup }) => warmup),
    pairs: total(measured, ({ analysis }) => analysis.pairs),
    weakPairs: total(measured, ({ pairs }) => pairs?.weak ?? 0),
    unpaired: total(measured, ({ unpaired }) => unpaired),
  };
}

function describeTimes(
  measured: readonly MeasuredRun[],
): Pick<GroupAnalysis, 'meanA' | 'meanB' | 'variation'> {
  const [a, b] = [timesOf(measured, 'A'), timesOf(measured, 'B')];
  const [spreadA, spreadB, both] = [spreadOf(a), spreadOf(b), spreadOf([...a, ...b])];
  return {
    ...(spreadA && { meanA: spreadA.mean }),
    ...(spreadB && { meanB: spreadB.mean }),
    ...(both?.variation !== undefined && { variation: both.variation }),
  };
}

/** Overlaps of the pairs that count, as a part of half the time of all iterations after warm-up. */
function overlapShare([{ type }]: RunGroup, measured: readonly MeasuredRun[]): number | undefined {
  const byOverlap = measured.filter(({ pairs }) => pairs?.by === 'overlap');
  if (type !== 'duet' || byOverlap.length === 0) return undefined;
  const overlaps = total(byOverlap, ({ pairs }) => total(pairs?.weights ?? [], (weight) => weight));
  const times = total(byOverlap, ({ A, B }) => sumOf(A) + sumOf(B));
  return times > 0 ? overlaps / (times / 2) : undefined;
}

function total<T>(items: Iterable<T>, of: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}

function sumOf(side: Iterations | undefined): number {
  return side ? total(side.times, (time) => time) : 0;
}

function lengthOf(side: DuetIterations['A']): number {
  return side?.times.length ?? 0;
}
