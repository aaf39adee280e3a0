/** What one pair said. */
export interface PairRatio {
  /** Its number, from 0 on; pairs that were left out have one too. */
  readonly pair: number;
  /** Natural logarithm of B / A. */
  readonly logRatio: number;
}

/** With fewer the rougher steps of small samples cost more than the swap gains. */
const ENOUGH_UNITS = 20;

/**
 * How many pairs are one independent run of the statistics. Where sides change places from pair to pair (cores swapped, or
 * A B B A), what a place adds to one pair it takes from the next: two of them are one run, in which it has gone.
 */
export function pairsAUnit(pairs: number, doSidesChangePlaces: boolean): 1 | 2 {
  return doSidesChangePlaces && pairs >= 2 * ENOUGH_UNITS ? 2 : 1;
}

/** One logarithm for each whole unit; half a unit is left out. */
export function unitRatios(ratios: readonly PairRatio[], size: 1 | 2): Float64Array {
  if (size === 1) return Float64Array.from(ratios, ({ logRatio }) => logRatio);
  const units: number[] = [];
  for (const [index, { pair, logRatio }] of ratios.entries()) {
    const next = ratios[index + 1];
    if (pair % 2 === 0 && next?.pair === pair + 1) units.push((logRatio + next.logRatio) / 2);
  }
  return Float64Array.from(units);
}
