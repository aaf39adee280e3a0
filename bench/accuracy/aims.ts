import { percent } from './table.ts';

export interface Aims {
  /** Compares a share with its band; whether it was missed is told by a mark after it. */
  check(name: string, share: number | undefined, band: readonly [number, number]): string;
  readonly missed: readonly string[];
}

export function makeAims(): Aims {
  const missed: string[] = [];
  return {
    missed,
    check(name, share, [low, high]) {
      const isMet = share !== undefined && share >= low && share <= high;
      if (!isMet) missed.push(`${name}: ${percent(share)}, aim ${percent(low)} to ${percent(high)}`);
      return percent(share) + (isMet ? ' ' : '!');
    },
  };
}
