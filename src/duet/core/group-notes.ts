import { counted, plainly } from '../../platform/core/text/numbers.ts';
import type { Judgement } from '../../stats/verdict.ts';
import type { AnalysisOptions } from './duet-analysis.ts';
import type { MeasuredRun } from './measure-run.ts';

/** A side that ran alone for longer than this part of its time is worth a word. */
const MUCH_ALONE = 0.2;
/** From this part of the largest ratio that the smallest overlap lets through, the ratio is visibly pulled to 1. */
const NEAR_LIMIT = 0.6;

/** Noise looks unsteady in a few runs of a hundred; what really never settles does so in most. */
const OFTEN = 0.25;

export interface NotedGroup {
  readonly measured: readonly MeasuredRun[];
  readonly judgement: Judgement;
  readonly options: AnalysisOptions;
}

/** What a reader should know before trusting a group, one sentence each. */
export function groupNotes(group: NotedGroup): readonly string[] {
  return [withoutPairs(group), ...unsteady(group), ...alone(group), tooUnlike(group)].filter(
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

function unsteady({ measured }: NotedGroup): readonly string[] {
  return (['A', 'B'] as const).flatMap((side) => {
    const count = measured.filter((run) => run.unsteady.includes(side)).length;
    if (count < OFTEN * measured.length || count === 0) return [];
    return `${side} never became steady in ${count} of ${plainly(counted(measured.length, 'run'))}: their second halves were used.`;
  });
}

function alone({ measured }: NotedGroup): readonly string[] {
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
