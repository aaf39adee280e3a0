import { runDeviation } from '../../core/plan/plan.ts';
import { planNotes, planSentence } from '../../core/plan/plan-sentences.ts';
import type { PlanReport } from './plan-text.ts';

/** What --json prints; described in docs/guide/plan.md. */
export function planJson({ planned, more, left }: PlanReport) {
  return {
    values: planned.map(({ basis, plan }) => ({
      name: basis.name,
      sentence: planSentence(plan),
      ...plan,
      noise: {
        run: runDeviation(basis),
        between: Math.sqrt(basis.input.alone.between),
        within: Math.sqrt(basis.input.alone.within),
        correlation: basis.correlation,
        ...(basis.count !== undefined && { count: basis.count }),
        pairs: Math.sqrt(basis.input.pairs.between + basis.input.pairs.within / basis.input.iterations),
        pairsAre: basis.input.pairs.isMeasured ? 'measured' : 'assumed',
      },
      notes: planNotes(basis),
    })),
    more,
    left,
  };
}
