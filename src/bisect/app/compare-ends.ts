import type { Judgement } from '../../stats/verdict.ts';
import { type BisectMetric, judgedIn } from '../core/bisect-metric.ts';
import { judgeDifference } from '../core/difference.ts';
import { VALUE, WALL } from '../core/evidence.ts';
import { badOf } from '../core/search.ts';
import { type BisectEffects, type BisectRequest, withSearcher } from './searcher.ts';

/** The metric of a duet of two commits, and its judgement: slower is worse. */
export interface EndsFound {
  readonly metric: BisectMetric;
  readonly judgement: Judgement;
}

/** Measures good and bad until it is clear whether they differ; their builds are one each. */
export function compareEnds(request: BisectRequest, effects: BisectEffects): Promise<EndsFound> {
  const { mode, cores } = request.settings;
  const doSidesChangePlaces = cores !== undefined || mode === 'alternate';
  return withSearcher(request, effects, async (searcher) => {
    const measure = searcher.metric.type === 'wall' ? WALL : VALUE;
    for (;;) {
      const { suspects, evidence } = searcher.state();
      const commit = badOf(suspects);
      const ratios = evidence.pairs
        .filter((pair) => pair.commit === commit)
        .map(({ logRatios }) => logRatios[measure] ?? 0);
      const found = judgeDifference(ratios, { ...request.options, doSidesChangePlaces });
      if (found.state === 'judged') {
        searcher.record({ type: 'end', at: searcher.now(), state: 'difference' });
        return { metric: searcher.metric, judgement: judgedIn(searcher.metric, found.judgement) };
      }
      searcher.report({ commit, text: { why: 'difference', pairs: found.pairs } });
      await searcher.measure(Array.from({ length: found.pairs }, () => [{ commit, build: 0 }]));
    }
  });
}
