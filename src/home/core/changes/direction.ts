import type { Better, BetterFrom } from '../../../formats/core/sample.ts';

/** Which direction of a series is good, and who says so. */
export interface Direction {
  readonly better: Better;
  /** Absent: unknown. */
  readonly betterFrom?: BetterFrom;
}

/** Whether nobody knows which direction is good, although it matters: one that was declared as none is not missing. */
export function lacksDirection({ better, betterFrom }: Direction): boolean {
  return better === 'unknown' && betterFrom !== 'declared';
}

/** "lower is better", "higher is better (inferred)", "no direction (declared)", "unknown direction". */
export function directionText({ better, betterFrom }: Direction): string {
  if (better === 'unknown')
    return betterFrom === 'declared' ? 'no direction (declared)' : 'unknown direction';
  return `${better} is better${betterFrom === 'inferred' ? ' (inferred)' : ''}`;
}
