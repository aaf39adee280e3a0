/** A moment at which a comparison may end early. */
export interface Look {
  /** Runs so far. */
  readonly runs: number;
  /** Level of the interval at this look, so that all looks together keep the level that was asked for. */
  readonly level: number;
}

/** When to look, at most four times, and how strictly; the last look is at `maxRuns`. */
export function planLooks(maxRuns: number, level: number): readonly Look[] {
  return [{ runs: maxRuns, level }];
}
