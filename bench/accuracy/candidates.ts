import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { studentQuantile } from '../../src/stats/distributions.ts';
import { trimmedMean } from '../../src/stats/means.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { signedRankInterval } from '../../src/stats/rank-tests.ts';
import { pseudoMedian } from '../../src/stats/robust-estimates.ts';
import { runLogRatio } from '../../src/stats/run-ratio.ts';
import { mean, median, momentsOf, sortedCopy } from '../../src/stats/summary.ts';
import { meanTest } from '../../src/stats/t-tests.ts';
import { type Design, duets, type PairsOfRuns, type Repeat } from './comparisons.ts';

/** Limits of the log ratio, from the log ratios of all pairs of all runs. */
export interface Candidate {
  readonly name: string;
  limits(pairs: PairsOfRuns): { readonly low: number; readonly high: number };
}

export interface CandidateRates {
  readonly name: string;
  readonly falseAlarms: number;
  readonly power: number;
  readonly width: number;
}

const LEVEL = 0.95;
const random = seededRandom(2718);
const RESAMPLES = 999;

const overRuns: Record<string, (ratios: Float64Array) => { readonly low: number; readonly high: number }> = {
  'signed ranks': (ratios) => signedRankInterval(ratios, LEVEL),
  "Student's t": (ratios) => meanTest(ratios, { level: LEVEL }),
  "Yuen's trimmed t": yuenLimits,
  'BCa bootstrap': (ratios) =>
    bootstrapMean(ratios, { level: LEVEL, resamples: RESAMPLES, random, method: 'bca' }),
  'percentile bootstrap': (ratios) => bootstrapMean(ratios, { level: LEVEL, resamples: RESAMPLES, random }),
};

const withinRun: Record<string, (pairs: Float64Array) => number> = {
  'trimmed mean': (pairs) => runLogRatio(pairs),
  mean,
  median,
  'Hodges-Lehmann': pseudoMedian,
};

/** Either step is varied while the other one stays as it is in the verdict. */
export const CANDIDATES: readonly Candidate[] = [
  ...Object.entries(overRuns).map(([name, limits]) =>
    candidate(`trimmed mean, ${name}`, runLogRatio, limits),
  ),
  ...Object.entries(withinRun)
    .slice(1)
    .map(([name, within]) => candidate(`${name}, signed ranks`, within, (x) => signedRankInterval(x, LEVEL))),
  {
    name: 'all iterations as if independent, t',
    limits: (pairs) =>
      meanTest(
        pairs.flatMap((pair) => [...pair]),
        { level: LEVEL },
      ),
  },
];

/** How often each candidate leaves out 0 without an effect and with one of 1 %. */
export function candidateRates(design: Design, repeat: Repeat): readonly CandidateRates[] {
  const counts = CANDIDATES.map(() => ({ alarms: 0, found: 0, width: 0 }));
  const effect = Math.log1p(0.01);
  for (const pairs of duets(design, repeat)) {
    for (const [index, count] of counts.entries()) {
      const { low, high } = CANDIDATES[index]?.limits(pairs) ?? { low: 0, high: 0 };
      if (low > 0 || high < 0) count.alarms++;
      if (low + effect > 0 || high + effect < 0) count.found++;
      count.width += high - low;
    }
  }
  return counts.map(({ alarms, found, width }, index) => ({
    name: CANDIDATES[index]?.name ?? '',
    falseAlarms: alarms / repeat.repetitions,
    power: found / repeat.repetitions,
    width: width / repeat.repetitions,
  }));
}

function candidate(
  name: string,
  within: (pairs: Float64Array) => number,
  limits: (ratios: Float64Array) => { readonly low: number; readonly high: number },
): Candidate {
  return { name, limits: (pairs) => limits(Float64Array.from(pairs, (pair) => within(pair))) };
}

/** A fifth trimmed at either end, the spread from the winsorised values (Yuen 1974). */
function yuenLimits(ratios: Float64Array): { readonly low: number; readonly high: number } {
  const sorted = sortedCopy(ratios);
  const cut = Math.floor(0.2 * sorted.length);
  const kept = sorted.length - 2 * cut;
  const centre = trimmedMean(ratios, 0.2);
  sorted.fill(sorted[cut] ?? 0, 0, cut);
  sorted.fill(sorted[sorted.length - 1 - cut] ?? 0, sorted.length - cut);
  const error = momentsOf(sorted).deviation * Math.sqrt((sorted.length - 1) / (kept * (kept - 1)));
  const half = studentQuantile(1 - (1 - LEVEL) / 2, kept - 1) * error;
  return { low: centre - half, high: centre + half };
}
