import { judgeUnpaired } from '../../src/stats/verdict.ts';
import { EFFECTS, MIN_EFFECT } from './cells.ts';
import { type Design, type Repeat, soloRuns } from './comparisons.ts';
import { makeCounter, type Tally } from './tally.ts';

/** One side after the other, or in turns, on the same noise: unpaired, by Welch's test of the run means. */
export function sequentialCells(
  design: Design,
  repeat: Repeat & { readonly inTurns: boolean },
): readonly Tally[] {
  const counters = EFFECTS.map((effect) => makeCounter(Math.log1p(effect)));
  for (const { a, b } of soloRuns(design, repeat)) {
    for (const [index, counter] of counters.entries()) {
      const shifted = b.map((value) => value + Math.log1p(EFFECTS[index] ?? 0));
      counter.add(judgeUnpaired(a, shifted, { level: 0.95, minEffect: MIN_EFFECT }));
    }
  }
  return counters.map((counter) => counter.tally());
}
