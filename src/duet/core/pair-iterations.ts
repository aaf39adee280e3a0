import type { Iterations } from '../../formats/core/iterations.ts';
import type { DuetRunType } from './duet.ts';
import type { AnalysisOptions } from './duet-analysis.ts';
import { findOverlaps } from './find-overlaps.ts';
import { pairByNumber } from './pair-by-number.ts';
import type { Pairs, Spans } from './pairs.ts';
import { sweepOverlaps } from './sweep-overlaps.ts';

export interface BothSides {
  readonly type: DuetRunType;
  readonly A: Iterations;
  readonly B: Iterations;
}

/**
 * Who is compared with whom inside of one run. Sides that ran freely at once: those that overlap in time. Sides that a
 * barrier held together, sides that ran alone, and harnesses that tell no moments: those of the same number.
 */
export function pairIterations(
  { type, A, B }: BothSides,
  { pairing, minOverlap }: Pick<AnalysisOptions, 'pairing' | 'minOverlap'>,
): Pairs {
  const [a, b] = [spansOf(A), spansOf(B)];
  if (type !== 'duet' || !a || !b) return pairByNumber(A.numbers, B.numbers);
  return pairing === 'sweep' ? sweepOverlaps(a, b, minOverlap) : findOverlaps(a, b, minOverlap);
}

function spansOf({ starts, ends, times }: Iterations): Spans | undefined {
  return starts && ends ? { starts, ends, times } : undefined;
}
