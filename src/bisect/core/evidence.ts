import type { BisectEvent } from './bisect-plan.ts';
import { GOOD, type MeasuredPair } from './search.ts';

export interface RecordedPairs {
  readonly pairs: readonly MeasuredPair[];
  readonly skipped: ReadonlySet<number>;
}

/** The measure of a value that the run reports. */
export const VALUE = 'value';
/** The measure of the time of the command; beside it there may be others of the same pair. */
export const WALL = 'wall';
export const CPU = 'cpu';

/** What a journal has recorded. `numbers`: the suspects by their hashes; `wanted`: the only measure of interest, if there is one. */
export function recordedPairs(
  events: readonly BisectEvent[],
  given: {
    readonly numbers: ReadonlyMap<string, number>;
    readonly good: string;
    readonly primary: string;
    readonly wanted?: string;
  },
): RecordedPairs {
  const { numbers, good, primary, wanted } = given;
  const pairs: MeasuredPair[] = [];
  const skipped = new Set<number>();
  for (const event of events) {
    if (event.type !== 'pair' && event.type !== 'skip') continue;
    const commit = event.commit === good ? GOOD : numbers.get(event.commit);
    if (commit === undefined) continue;
    if (event.type === 'skip') {
      skipped.add(commit);
      continue;
    }
    const { build = 0, goodBuild = 0, order, measures = {} } = event;
    const ratios = [[primary, event] as const, ...Object.entries(measures)]
      .filter(([measure]) => wanted === undefined || measure === wanted)
      .map(([measure, { good, value }]) => [measure, Math.log(value / good)] as const);
    const last = pairs.at(-1);
    // Journals of earlier versions measured a commit in one go: that is a round, and what the machine did then is not known apart.
    const round = event.round ?? (last === undefined ? 0 : last.round + (last.commit === commit ? 0 : 1));
    pairs.push({ commit, build, goodBuild, round, order, logRatios: Object.fromEntries(ratios) });
  }
  return { pairs, skipped };
}
