import type { Measure } from '../../executors/core/measures.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { mean } from '../../stats/summary.ts';
import type { Judgement } from '../../stats/verdict.ts';
import type { JudgedMeasure } from './judge-measures.ts';

/** What two measures say about one comparison. */
export interface MeasuredSides {
  readonly sides: Readonly<Record<'A' | 'B', SideMeans>>;
  readonly measures: readonly JudgedMeasure[];
  readonly decidedBy: Measure;
  /** Ratio of CPU time divided by ratio of wall time: whether one of them surely grew more than the other. */
  readonly gap?: Judgement;
}

interface SideMeans {
  readonly name: string;
  readonly times: readonly number[];
  readonly user?: number;
  readonly system?: number;
}

/** What wall time and CPU time say together where they do not say the same; undefined where they do. */
export function disagreement(found: MeasuredSides): string | undefined {
  const [wall, cpu] = [verdictIn(found, 'wall'), verdictIn(found, 'cpu')];
  const change = changesOf(found);
  if (wall === undefined || !change || found.decidedBy === 'cpu' || wall === cpu) return undefined;
  const { A, B } = { A: found.sides.A.name, B: found.sides.B.name };
  const more = `${plainly(formatNumber(Math.abs(change.cpu), 's'))} ${change.cpu < 0 ? 'less' : 'more'} CPU time`;
  const isClear = cpu === 'same' || cpu === 'faster' || cpu === 'slower';
  switch (wall) {
    case 'slower':
      if (!isClear && !didGrow(found.gap, 'less') && !(cpu === undefined && change.cpu < change.wall / 10))
        return undefined;
      return `${B} waits more than ${A}: it takes ${plainly(formatNumber(change.wall, 's'))} longer, with ${more}. The rest is input and output, a lock, a timer or another process.`;
    case 'faster':
      if (!isClear && !didGrow(found.gap, 'more')) return undefined;
      return `${B} is faster with ${more}: it waits less, or more of its work runs at the same time.`;
    case 'same':
      if (cpu !== 'slower' && cpu !== 'faster') return undefined;
      return `${B} uses ${more} in the same wall time: in other threads, or while it would wait.`;
    case 'undecided':
      if (cpu !== 'slower' && cpu !== 'faster') return undefined;
      return `${B} uses ${more} than ${A}, and that is certain; but CPU time alone does not decide here (--measure cpu lets it): the commands do not only compute, or not in as many threads, or there was no warm-up to see it.`;
  }
}

function verdictIn({ measures }: MeasuredSides, measure: Measure) {
  return measures.find((one) => one.measure === measure)?.judgement.verdict;
}

function didGrow(gap: Judgement | undefined, how: 'more' | 'less'): boolean {
  if (!gap?.effect) return false;
  return how === 'more' ? gap.effect.low > 1 : gap.effect.high < 1;
}

/** From A to B, in seconds; undefined where CPU time is not known. */
function changesOf({ sides: { A, B } }: MeasuredSides) {
  const [cpuA, cpuB] = [cpuOf(A), cpuOf(B)];
  if (cpuA === undefined || cpuB === undefined || A.times.length === 0 || B.times.length === 0)
    return undefined;
  return { wall: mean(B.times) - mean(A.times), cpu: cpuB - cpuA };
}

function cpuOf({ user, system }: SideMeans): number | undefined {
  return user === undefined || system === undefined ? undefined : user + system;
}
