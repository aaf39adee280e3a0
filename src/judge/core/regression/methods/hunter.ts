import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { MethodResult, RegressionMethod } from '../method.ts';
import { mergeCuts } from './hunter-merge.ts';
import { splitSeries } from './hunter-split.ts';
import type { Cut } from './hunter-test.ts';

const MAX_P = 0.001;
const MIN_MAGNITUDE = 0.05;

/**
 * E-divisive cuts in windows of 50, tested by Student's t, the weak ones merged away (Fleming and others, "Hunter", ICPE 2023),
 * as the original has set it. It tells a change once: when the newest value alone is on the right of the last cut.
 */
export const hunter: RegressionMethod = {
  name: 'hunter',
  judge(history, current, { lowerBetter }) {
    const series = new Float64Array(history.length + 1);
    series.set(history);
    series[history.length] = current;
    const cuts = mergeCuts(series, splitSeries(series), { maxP: MAX_P, minMagnitude: MIN_MAGNITUDE });
    const details = cuts.map(detailsOf);
    const last = cuts.at(-1);
    if (!last) return { accepted: true, rating: 0, description: 'Inline', details };
    const isDecrease = last.right.mean < last.left.mean;
    // Without a direction higher is taken for better, as the original does.
    const improved = isDecrease === (lowerBetter ?? false);
    return { ...verdict(last, history.length, { improved, cuts: cuts.length }), details };
  },
};

function verdict(
  last: Cut,
  newest: number,
  { improved, cuts }: { readonly improved: boolean; readonly cuts: number },
): Omit<MethodResult, 'details'> {
  if (last.index === newest) {
    return { accepted: false, rating: 1, improved, description: improved ? 'Jump' : 'Regression' };
  }
  return { accepted: true, rating: 0, improved, description: `Inline (${cuts} historical)` };
}

function detailsOf({ index, left, right, p }: Cut): JsonObject {
  return {
    index,
    mean_1: left.mean,
    mean_2: right.mean,
    std_1: left.deviation,
    std_2: right.deviation,
    pvalue: p,
    forward_rel_change: right.mean / left.mean - 1,
  };
}
