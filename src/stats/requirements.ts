import { NightmarkError } from '../platform/core/errors.ts';

/** Values of a statistic: plain, or typed where they are many. */
export type Numbers = readonly number[] | Float64Array;

/** Refuses an empty list. */
export function requireSome(values: Numbers): void {
  if (values.length > 0) return;
  throw new NightmarkError('STATS_NO_VALUES', 'There is nothing to compute from: 0 values.', {
    hint: 'Check the log of the run for why it measured nothing.',
  });
}

/** Refuses fewer than `least` values, and any that is infinite or no number: they would poison every result. */
export function requireFinite(values: Numbers, least = 1): void {
  requireSome(values);
  if (values.length < least) {
    throw new NightmarkError(
      'STATS_TOO_FEW_VALUES',
      `${values.length} of at least ${least} values are there.`,
      {
        hint: 'Measure more runs: the spread between them is what an interval is made of.',
      },
    );
  }
  for (let index = 0; index < values.length; index++) {
    if (!Number.isFinite(values[index])) throw notFinite(values, index);
  }
}

/** Refuses two lists that are meant as pairs and differ in length. */
export function requirePairs(a: Numbers, b: Numbers): void {
  if (a.length === b.length) return;
  throw new NightmarkError(
    'STATS_NOT_PAIRED',
    `Pairs need as many values of A as of B: ${a.length} and ${b.length}.`,
    {
      hint: 'Drop what has no partner, or compare the two as independent samples.',
    },
  );
}

/** Refuses a level that is not a probability strictly between 0 and 1. */
export function requireLevel(level: number): void {
  if (level > 0 && level < 1) return;
  throw new NightmarkError('STATS_LEVEL', `There is no interval of level ${level}.`, {
    hint: 'Give a number between 0 and 1, such as 0.95.',
  });
}

function notFinite(values: Numbers, first: number): NightmarkError {
  let count = 0;
  for (const value of values) if (!Number.isFinite(value)) count++;
  const message = `${count} of ${values.length} values are not finite; the first is ${values[first]} at ${first + 1}.`;
  return new NightmarkError('STATS_NOT_FINITE', message, {
    hint: 'Leave out what could not be measured, or look for a division by zero.',
  });
}
