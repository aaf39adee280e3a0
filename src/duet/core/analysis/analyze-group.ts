import type { Iterations } from '../../../formats/core/format.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { type Judgement, judgeLogRatios, judgeUnpaired } from '../../../stats/verdict.ts';
import type { DuetIterations, RunGroup } from '../duet-iterations.ts';
import type { AnalysisOptions, GroupAnalysis, GroupCounts } from './duet-analysis.ts';
import { effectText, percent } from './group-text.ts';
import { type MeasuredRun, measureRun, present, spreadOf, timesOf } from './measure-run.ts';
import { otherEstimators } from './other-estimators.ts';
import { logTimeOf } from './pair-ratios.ts';
import { costOf } from './run-extent.ts';

export interface AnalysisDepth {
  /** Also what other estimators say: resampling costs more than all the rest, so only where it is shown. */
  readonly withOthers: boolean;
}

/** Judges the runs of one benchmark at one place, run in one way. */
export function analyzeGroup(
  group: RunGroup,
  options: AnalysisOptions,
  { withOthers }: AnalysisDepth,
): GroupAnalysis {
  const [{ environment, suite, benchmark, type }] = group;
  const measured = group.map((run) => measureRun(run, options));
  const judged = type === 'seqn' ? judgeAlone(measured, options) : judgeTogether(measured, options);
  const cpu = judgeCpu(group, options);
  const notes = [...groupNotes({ measured, judgement: judged, options }), ...cpuNotes(judged, cpu)];
  const cost = costOf(group, options.compat);
  const share = overlapShare(group, measured);
  return {
    environment,
    suite,
    benchmark,
    type,
    judgement: { ...judged, notes: [...judged.notes, ...notes] },
    ...(cpu && { cpu }),
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

/** That run 3 of A and run 3 of B have the same number means nothing: they are two independent samples of runs. */
function judgeAlone(measured: readonly MeasuredRun[], options: AnalysisOptions): Judgement {
  const logTimes = (side: 'A' | 'B') => {
    return present(measured.map((run) => run[side] && logTimeOf(run[side])));
  };
  return judgeUnpaired(logTimes('A'), logTimes('B'), options);
}

/** CPU time is counted in milliseconds; of less than this a step is too large a part. */
const LEAST_CPU_SECONDS = 0.01;

/** Undefined where fewer than two runs have it, of both sides. */
function judgeCpu(group: RunGroup, options: AnalysisOptions): Judgement | undefined {
  const [{ type }] = group;
  const log = (seconds: number | undefined) =>
    seconds !== undefined && seconds >= LEAST_CPU_SECONDS ? Math.log(seconds) : undefined;
  const [A, B] = [group.map(({ cpu }) => log(cpu?.A)), group.map(({ cpu }) => log(cpu?.B))];
  const judged =
    type === 'seqn'
      ? judgeUnpaired(present(A), present(B), options)
      : judgeLogRatios(
          present(A.map((a, run) => (a === undefined || B[run] === undefined ? undefined : B[run] - a))),
          options,
        );
  return judged.runs < 2 ? undefined : judged;
}

/** Where CPU time has a verdict that the times of the iterations do not have. */
function cpuNotes({ verdict }: Judgement, cpu: Judgement | undefined): readonly string[] {
  if (!cpu?.effect || (cpu.verdict !== 'slower' && cpu.verdict !== 'faster') || cpu.verdict === verdict)
    return [];
  const change = `${percent(Math.abs(cpu.effect.ratio - 1))} ${cpu.verdict === 'slower' ? 'more' : 'less'}`;
  return [
    `B uses ${change} CPU time than A in whole runs, ${effectText(cpu.effect)}: start and warm-up are in it, so it does not decide.`,
  ];
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

/** A side that ran alone for longer than this part of its time is worth a note. */
const MUCH_ALONE = 0.2;
/** From this part of the largest ratio that the smallest overlap lets through, the ratio is visibly pulled to 1. */
const NEAR_LIMIT = 0.6;

/** Noise looks unsteady in a few runs of a hundred; what really never becomes steady does so in most. */
const OFTEN = 0.25;

interface NotedGroup {
  readonly measured: readonly MeasuredRun[];
  readonly judgement: Judgement;
  readonly options: AnalysisOptions;
}

/** What a reader should know before trusting a group, one sentence each. */
function groupNotes(group: NotedGroup): readonly string[] {
  return [withoutPairs(group), ...neverSteady(group), ...runningAlone(group), tooUnlike(group)].filter(
    (note) => note !== undefined,
  );
}

function withoutPairs({ measured, options }: NotedGroup): string | undefined {
  const without = measured.filter(({ analysis }) => analysis.pairs === 0);
  if (without.length === 0) return undefined;
  const weak = without.some(({ pairs }) => (pairs?.weak ?? 0) > 0);
  const oneSided = without.filter(({ A, B }) => !A?.times.length || !B?.times.length).length;
  const reason = weak
    ? `: no overlap is above ${options.minOverlap} of both iterations (see --min-overlap)`
    : oneSided > 0
      ? `; in ${oneSided} a side has no iterations`
      : '';
  return `${without.length} of ${plainly(counted(measured.length, 'run'))} have no pair${reason}.`;
}

function neverSteady({ measured }: NotedGroup): readonly string[] {
  return (['A', 'B'] as const).flatMap((side) => {
    const count = measured.filter((run) => run.unsteady.includes(side)).length;
    if (count < OFTEN * measured.length || count === 0) return [];
    return `${side} never became steady in ${count} of ${plainly(counted(measured.length, 'run'))}: their second halves were used.`;
  });
}

function runningAlone({ measured }: NotedGroup): readonly string[] {
  return (['A', 'B'] as const).flatMap((side) => {
    const shares = measured.flatMap((run) => (run.alone ? [run.alone[side]] : []));
    const share = shares.reduce((total, value) => total + value, 0) / shares.length;
    if (!(share > MUCH_ALONE)) return [];
    return `${side} ran ${Math.round(100 * share)} % of its time without a partner: that part is not compared, and unequal sides disturb each other unequally.`;
  });
}

function tooUnlike({ judgement: { effect }, measured, options }: NotedGroup): string | undefined {
  if (!effect || !measured.some(({ pairs }) => pairs?.by === 'overlap')) return undefined;
  const unlike = Math.max(effect.ratio, 1 / effect.ratio);
  if (!(unlike * options.minOverlap > NEAR_LIMIT)) return undefined;
  return `At this ratio a smallest overlap of ${options.minOverlap} keeps the pairs that are alike and pulls the result towards 1: lower --min-overlap.`;
}
