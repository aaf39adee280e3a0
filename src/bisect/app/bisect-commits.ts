import type { BisectMetric } from '../core/bisect-metric.ts';
import { type Conclusion, conclude } from '../core/conclusion.ts';
import { nextStep, type Step } from '../core/next-step.ts';
import { estimateRemaining } from '../core/remaining.ts';
import {
  type BisectCost,
  type BisectEffects,
  type BisectRequest,
  type MeasuringText,
  type Searcher,
  withSearcher,
} from './searcher.ts';

export type BisectOutcome = BisectCost & { readonly metric: BisectMetric } & Conclusion;

/** Measures pairs until it is sure enough which commit did it, or that this cannot be known. */
export function bisectCommits(request: BisectRequest, effects: BisectEffects): Promise<BisectOutcome> {
  return withSearcher(request, effects, async (searcher) => {
    for (;;) {
      const state = searcher.state();
      const step = nextStep(state);
      if (step.type !== 'measure') {
        const conclusion = conclude(state, step);
        searcher.record({ type: 'end', at: searcher.now(), state: conclusion.state });
        return { ...conclusion, ...searcher.cost(), metric: searcher.metric };
      }
      searcher.report({ commit: step.commit, text: measuringText(step, searcher) });
      await searcher.measure(step.rounds);
    }
  });
}

function measuringText(step: Extract<Step, { type: 'measure' }>, searcher: Searcher): MeasuringText {
  const { why, rounds, reading } = step;
  const pairs = rounds.reduce((sum, visits) => sum + visits.length, 0);
  if (!reading) return { why, pairs };
  const remaining = estimateRemaining(reading.posterior);
  const ms = remaining.pairs * searcher.mean('pair') + remaining.commits * searcher.mean('prepared');
  return { why, pairs, likeliest: Math.max(...reading.posterior.one), remaining: { ...remaining, ms } };
}
