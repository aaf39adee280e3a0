import { NightmarkError } from '../platform/core/errors.ts';

/**
 * P values after correction for their number, in the order given (Benjamini and Hochberg, 1995): calling those up to
 * q a discovery keeps the expected share of false ones among them at or below q. What has no p value keeps none,
 * and does not count as a test.
 */
export function adjustedPValues(values: readonly (number | undefined)[]): readonly (number | undefined)[] {
  const tests: { readonly place: number; readonly p: number }[] = [];
  values.forEach((p, place) => {
    if (p !== undefined) tests.push({ place, p: requireP(p, place) });
  });
  tests.sort((one, other) => other.p - one.p);

  const adjusted = new Array<number | undefined>(values.length).fill(undefined);
  let least = 1;
  tests.forEach(({ place, p }, smaller) => {
    // Sorted downwards: the rank from below is the number of tests that remain.
    least = Math.min(least, (p * tests.length) / (tests.length - smaller));
    adjusted[place] = least;
  });
  return adjusted;
}

function requireP(p: number, place: number): number {
  if (p >= 0 && p <= 1) return p;
  throw new NightmarkError(
    'STATS_PROBABILITY',
    `${p} is not a probability (number ${place + 1} of the p values).`,
    {
      hint: 'Give numbers from 0 to 1, and undefined where there is none.',
    },
  );
}
