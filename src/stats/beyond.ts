/** An effect with its interval, as a fraction of the level before: 0.05 is 5 % more. */
export interface RelativeEffect {
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Whether an effect lies beyond the smallest one of interest. `surely`: its whole interval does. `likely`: there is an
 * effect, and its estimate does. Only what is surely beyond raises an alarm; `--or-likely` takes both.
 */
export type Beyond = 'surely' | 'likely' | 'no';

/** A decrease is measured as the increase that undoes it: twice as much and half as much lie equally far out. */
export function beyond({ change, low, high }: RelativeEffect, minEffect: number): Beyond {
  const down = -minEffect / (1 + minEffect);
  if (low > minEffect || high < down) return 'surely';
  const isEffect = low > 0 || high < 0;
  return isEffect && (change > minEffect || change < down) ? 'likely' : 'no';
}
