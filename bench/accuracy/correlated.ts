import { centreOf } from '../../src/stats/centre.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { planLooks } from '../../src/stats/sequential-looks.ts';
import { judgeLogRatios, judgeUnpaired } from '../../src/stats/verdict.ts';
import type { Repeat } from './comparisons.ts';
import { normalSource } from './normal.ts';

const NOISE = 0.01;
const OPTIONS = { level: 0.95, minEffect: 0 };

/** Runs that resemble their neighbours by `rho`: how often a thing differs from itself, and what caution costs. */
export interface CorrelatedRates {
  readonly pairs: number;
  readonly unpaired: number;
  /** Called the same where the true effect is the smallest one of interest. */
  readonly sameAtEdge: number;
  /** Of an effect of 3.5 standard errors of independent runs; and the same without looking for correlation. */
  readonly found: number;
  readonly foundBefore: number;
}

export function correlatedRates(runs: number, rho: number, { repetitions, seed }: Repeat): CorrelatedRates {
  const draw = seriesSource(seed, rho);
  const effect = (NOISE * 3.5) / Math.sqrt(runs);
  const counts = { pairs: 0, unpaired: 0, sameAtEdge: 0, found: 0, foundBefore: 0 };
  for (let round = 0; round < repetitions; round++) {
    const values = draw(runs);
    const moved = values.map((value) => value + effect);
    const edge = values.map((value) => value + Math.log1p(0.01));
    if (differs(judgeLogRatios(values, OPTIONS))) counts.pairs++;
    if (differs(judgeUnpaired(draw(runs), draw(runs), OPTIONS))) counts.unpaired++;
    if (judgeLogRatios(edge, { level: 0.95, minEffect: 0.01 }).verdict === 'same') counts.sameAtEdge++;
    if (differs(judgeLogRatios(moved, OPTIONS))) counts.found++;
    if (centreOf(moved, 0.05).pOf(0) <= 0.05) counts.foundBefore++;
  }
  return {
    pairs: counts.pairs / repetitions,
    unpaired: counts.unpaired / repetitions,
    sameAtEdge: counts.sameAtEdge / repetitions,
    found: counts.found / repetitions,
    foundBefore: counts.foundBefore / repetitions,
  };
}

/** False alarms of all looks together. */
export function correlatedLooks(most: number, rho: number, { repetitions, seed }: Repeat): number {
  const draw = seriesSource(seed, rho);
  const looks = planLooks(most, 0.95);
  let alarms = 0;
  for (let round = 0; round < repetitions; round++) {
    const values = draw(most);
    const isAlarm = looks.some(({ runs, level }) => {
      const options = { level, minEffect: 0, isEarly: runs < most };
      return judgeLogRatios(values.subarray(0, runs), options).verdict !== 'undecided';
    });
    if (isAlarm) alarms++;
  }
  return alarms / repetitions;
}

/** How often the interval of skewed (exponential) log ratios holds their pseudo-median, which is what it says, and their mean. */
export function skewedCoverage(runs: number, { repetitions, seed }: Repeat) {
  const random = seededRandom(seed);
  // The median of the mean of two exponential values; that of a gamma value with two degrees, halved.
  const [pseudoMedian, mean] = [0.8391734950083301, 1];
  const counts = { pseudoMedian: 0, mean: 0 };
  for (let round = 0; round < repetitions; round++) {
    const values = Float64Array.from({ length: runs }, () => -NOISE * Math.log(1 - random()));
    const { low = 0, high = 0 } = judgeLogRatios(values, OPTIONS).effect ?? {};
    const holds = (truth: number) => Math.log(low) <= NOISE * truth && NOISE * truth <= Math.log(high);
    if (holds(pseudoMedian)) counts.pseudoMedian++;
    if (holds(mean)) counts.mean++;
  }
  return { pseudoMedian: counts.pseudoMedian / repetitions, mean: counts.mean / repetitions };
}

/** Values whose correlation falls by the factor `rho` with each step. */
export function seriesSource(seed: number, rho: number): (length: number) => Float64Array {
  const normal = normalSource(seededRandom(seed));
  return (length) => {
    const values = new Float64Array(length);
    for (let at = 0; at < length; at++) {
      const before = at === 0 ? NOISE * normal.next() : (values[at - 1] ?? 0);
      values[at] = rho * before + Math.sqrt(1 - rho * rho) * NOISE * normal.next();
    }
    return values;
  };
}

function differs({ effect }: ReturnType<typeof judgeLogRatios>): boolean {
  return effect !== undefined && (effect.low > 1 || effect.high < 1);
}
