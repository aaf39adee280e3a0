import { studentQuantile } from './distributions.ts';

/** From so many runs on, neighbours that resemble each other can be told from chance at all. */
const LEAST_RUNS = 5;

/**
 * How far above chance, in standard errors, a correlation must lie to count: independent runs show that in one of
 * twenty comparisons. `FIRST_SIGN` is for early looks, where a doubt costs more runs and no power.
 */
export const USUAL_DOUBT = 1.645;
export const FIRST_SIGN = 1.28;

/**
 * Correlation of neighbouring runs within segments of runs that followed each other; 0 unless it is seen clearly, and
 * never below. Over mid-ranks, so that neither a value far out nor equal values of a coarse clock decide.
 */
export function runCorrelation(segments: readonly Float64Array[], doubt = USUAL_DOUBT): number {
  const used = segments.filter(({ length }) => length > 2);
  const runs = used.reduce((sum, { length }) => sum + length, 0);
  if (runs < LEAST_RUNS) return 0;
  let products = 0;
  let squares = 0;
  for (const segment of used) {
    const ranks = centredRanks(segment);
    let own = 0;
    for (let at = 0; at < ranks.length; at++) {
      own += (ranks[at] ?? 0) ** 2;
      if (at > 0) products += (ranks[at] ?? 0) * (ranks[at - 1] ?? 0);
    }
    squares += own;
    // Around their own mean independent values lean to the negative, by 1 / n.
    products += own / ranks.length;
  }
  const seen = squares > 0 ? products / squares : 0;
  if (!(seen > doubt / Math.sqrt(runs))) return 0;
  // What is there shows smaller in short segments, by about 3 rho / n (Kendall 1954); and few runs cannot show a high one.
  const length = runs / used.length;
  return Math.max(0, Math.min(MOST, 1 - 4 / length, seen / Math.max(MOST_BIAS, 1 - 3 / length)));
}

const MOST = 0.95;
/** Segments of five: shorter ones say nothing of their bias. */
const MOST_BIAS = 0.4;

/** From -1/2 to 1/2; equal values share their mean rank. */
function centredRanks(values: Float64Array): Float64Array {
  const order = Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++;
    const rank = (from + to) / 2 / values.length - 0.5;
    for (let at = from; at < to; at++) ranks[order[at] ?? 0] = rank;
    from = to;
  }
  return ranks;
}

/** Variance of a mean of n values in units of that of one, when correlation falls by the same factor each step (AR(1)). */
export function varianceOfMean(n: number, correlation: number): number {
  if (correlation === 0) return 1 / n;
  const power = correlation ** n;
  const rest = 1 - correlation;
  const sum = correlation / rest - (correlation * (1 - power)) / (n * rest * rest);
  return (1 + 2 * sum) / n;
}

/** As how many independent runs n of them count. */
export function independentRuns(n: number, correlation: number): number {
  return Math.min(n, 1 / varianceOfMean(n, correlation));
}

/** With fewer, Student's limits explode: the correlation itself is not known well enough for that. */
const LEAST_INDEPENDENT = 5;

/**
 * By how much an interval made for n independent runs must be widened: their mean varies more than they let expect, their
 * spread is too small, and fewer degrees of freedom are known.
 */
export function widening(n: number, correlation: number, alpha: number): number {
  if (correlation === 0) return 1;
  const variance = varianceOfMean(n, correlation);
  const known = Math.max(Math.min(n, LEAST_INDEPENDENT), independentRuns(n, correlation));
  const limit = (runs: number) => studentQuantile(1 - alpha / 2, runs - 1);
  return Math.sqrt((variance * (n - 1)) / (1 - variance)) * (limit(known) / limit(n));
}
