import {
  type AbsentMeasure,
  absentNotes,
  COUNTERS,
  isCounter,
  MEASURES,
  type Measure,
} from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { mean, median } from '../../stats/summary.ts';
import { type Judgement, type JudgeOptions, judgeLogRatios, judgeUnpaired } from '../../stats/verdict.ts';
import type { Comparison, MeasuredSide } from '../core/comparison.ts';
import { comparisonNotes } from '../core/comparison-notes.ts';
import { conclude, type JudgedMeasure, levelFor, whyNoCpu } from '../core/judge-measures.ts';
import { disagreement } from '../core/measure-notes.ts';
import type { CompareEffects, CompareRequest } from './compare-request.ts';
import { judgeAtLook, type Measured, measurePairs, unitsOf } from './measure-pairs.ts';
import { PairRunner } from './pair-runner.ts';

/** Runs two commands in pairs and judges B against A. */
export async function compareCommands(request: CompareRequest, effects: CompareEffects): Promise<Comparison> {
  const session = await effects.timer.open(2);
  try {
    const runner = new PairRunner(request, session, effects.signal);
    const shellSeconds = request.emptyShell && (await runner.shellSeconds(request.emptyShell));
    const seeNoise = await effects.watchNoise?.();
    try {
      await runner.aside('setup');
      const measured = await measurePairs(request, runner, effects);
      const left = session.leftRunning();
      const comparison = toComparison(request, measured, { shellSeconds, left });
      const noise = (await seeNoise?.()) ?? [];
      return { ...comparison, notes: [...comparison.notes, ...noise] };
    } finally {
      await runner.aside('cleanup');
    }
  } finally {
    await session.close();
  }
}

interface Seen {
  readonly shellSeconds: number | undefined;
  /** Processes that the commands left running. */
  readonly left: number;
}

function toComparison(request: CompareRequest, measured: Measured, { shellSeconds, left }: Seen): Comparison {
  const { runs, plan, isInterrupted, warm } = measured;
  const { judged, look } = judgeMeasures(request, measured);
  const { judgement, decidedBy } = conclude(judged, plan.deciders);
  const gap = judgeGap(request, measured);
  const sides = { A: toSide(request, 'A', measured), B: toSide(request, 'B', measured) };
  const isComplete = Math.max(runs.A.length, runs.B.length) + measured.dropped >= plan.pairs;
  const [runnableA, runnableB] = [warm.A?.runnable, warm.B?.runnable];
  const absent = absentMeasures(request, measured, judged);
  const comparison: Comparison = {
    mode: request.mode,
    seed: request.seed,
    parameters: request.parameters,
    sides,
    judgement,
    decidedBy,
    deciders: plan.deciders.map(({ measure }) => measure),
    measures: judged,
    absent,
    ...(runnableA !== undefined && runnableB !== undefined && { runnable: { A: runnableA, B: runnableB } }),
    state: isInterrupted ? 'interrupted' : isComplete ? 'complete' : 'decided',
    planned: plan.pairs,
    pairsARun: plan.unit,
    ...(request.stop === 'when-decided' && { look }),
    orders: measured.orders,
    ...(request.mode === 'together' && runs.A.length > 0 && overlap(runs)),
    ...(request.cores && { cores: request.cores }),
    notes: [],
  };
  const notes = [
    disagreement({ sides, measures: judged, decidedBy, ...(gap && { gap }) }) ?? [],
    ...request.notes,
    ...judgement.notes,
    ...comparisonNotes(comparison, {
      dropped: measured.dropped,
      left,
      ...(shellSeconds !== undefined && { shellSeconds }),
    }),
    ...absentNotes(absent.filter(({ measure }) => measure !== 'cpu')),
  ].flat();
  return { ...comparison, notes };
}

/** Those that may decide at the levels of their parts, the others at the requested level. */
function judgeMeasures(request: CompareRequest, measured: Measured) {
  const { plan, pairs, counted } = measured;
  const isPaired = request.mode !== 'one-after-another';
  const { judged, look } = isPaired
    ? judgeAtLook(plan, pairs, request)
    : {
        judged: plan.deciders.flatMap(({ measure, part }) =>
          judgeAlone(measured, measure, { ...request, level: levelFor(request.level, part) }),
        ),
        look: { number: 1, of: 1 },
      };
  const others = MEASURES.flatMap((measure) => {
    if (judged.some((one) => one.measure === measure)) return [];
    if (measure === 'cpu' && whyNoCpu([...measured.runs.A, ...measured.runs.B]) !== undefined) return [];
    const units = counted.length > 0 && isCounter(measure) ? unitsOf(counted, measure, 1) : undefined;
    if (units) return [{ measure, judgement: judgeLogRatios(units, request) }];
    if (!isPaired) return judgeAlone(measured, measure, request);
    const ratios = unitsOf(pairs, measure, plan.unit);
    return ratios && ratios.length > 0 ? [{ measure, judgement: judgeLogRatios(ratios, request) }] : [];
  });
  const order = [...judged, ...others].sort(
    (one, other) => MEASURES.indexOf(one.measure) - MEASURES.indexOf(other.measure),
  );
  return { judged: order, look };
}

/** Of sides that ran one after another. */
function judgeAlone({ runs }: Measured, measure: Measure, options: JudgeOptions): readonly JudgedMeasure[] {
  const logs = (side: Side) =>
    Float64Array.from(runs[side], ({ measures }) => Math.log(measures[measure] ?? 0));
  const [a, b] = [logs('A'), logs('B')];
  if (![...a, ...b].every(Number.isFinite)) return [];
  return [{ measure, judgement: judgeUnpaired(a, b, options) }];
}

/** Whether CPU time surely grew more or less than wall time; undefined where there are no pairs of both. */
function judgeGap(request: CompareRequest, { pairs, plan }: Measured): Judgement | undefined {
  const [wall, cpu] = [unitsOf(pairs, 'wall', plan.unit), unitsOf(pairs, 'cpu', plan.unit)];
  if (!wall || !cpu || cpu.length < 2) return undefined;
  return judgeLogRatios(
    cpu.map((ratio, index) => ratio - (wall[index] ?? 0)),
    request,
  );
}

function absentMeasures(
  { counters }: CompareRequest,
  { runs }: Measured,
  judged: readonly JudgedMeasure[],
): readonly AbsentMeasure[] {
  const isJudged = (measure: Measure) => judged.some((one) => one.measure === measure);
  const all = [...runs.A, ...runs.B];
  const cpu = all.length === 0 || isJudged('cpu') ? undefined : whyNoCpu(all);
  const counted = COUNTERS.filter((counter) => counters && all.length > 0 && !isJudged(counter));
  return [
    ...(cpu === undefined ? [] : [{ measure: 'cpu' as const, reason: cpu }]),
    ...counted.map((measure) => ({ measure, reason: counters?.reason ?? 'a run was not counted' })),
  ];
}

function toSide({ sides }: CompareRequest, side: Side, measured: Measured): MeasuredSide {
  const { name, command } = sides[side];
  const runs = measured.runs[side];
  const counted = measured.counted.map((pair) => pair[side]);
  const values = Object.fromEntries(
    MEASURES.flatMap((measure) => {
      if (measure === 'wall') return []; // these are the times
      const from = isCounter(measure) && counted.length > 0 ? counted : runs.map(({ measures }) => measures);
      const list = from.flatMap((one) => (one[measure] === undefined ? [] : [one[measure]]));
      return list.length > 0 && list.length === from.length ? [[measure, list]] : [];
    }),
  );
  const cpu = (key: 'userNs' | 'systemNs') => {
    const values = runs.flatMap((run) => (run[key] === undefined ? [] : [run[key] / 1e9]));
    return values.length > 0 && values.length === runs.length ? mean(values) : undefined;
  };
  const [user, system] = [cpu('userNs'), cpu('systemNs')];
  return {
    name,
    command,
    times: runs.map(({ wallNs }) => wallNs / 1e9),
    exitCodes: runs.map(({ exit }) => (exit.type === 'code' ? exit.code : -1)),
    ...(user !== undefined && { user }),
    ...(system !== undefined && { system }),
    ...(Object.keys(values).length > 0 && { measured: values }),
  };
}

function overlap({ A, B }: Measured['runs']): Pick<Comparison, 'skewNs' | 'aloneShare'> {
  const pairs = A.map((a, index) => ({ a, b: B[index] ?? a }));
  const skews = pairs.map(({ a, b }) => Math.abs(Number(a.startedAtNs - b.startedAtNs)));
  const alone = pairs.map(({ a, b }) => Math.abs(a.wallNs - b.wallNs) / Math.max(a.wallNs, b.wallNs, 1));
  return { skewNs: median(skews), aloneShare: mean(alone) };
}
