import { welchTest } from '../../src/stats/t-tests.ts';
import { decide, type Judgement } from '../../src/stats/verdict.ts';
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
    const { low, high, estimate } = welchTest(b, a, { level: 0.95 });
    for (const [index, counter] of counters.entries()) {
      const by = Math.log1p(EFFECTS[index] ?? 0);
      counter.add(judgementOf({ low: low + by, high: high + by, ratio: estimate + by }, design.runs));
    }
  }
  return counters.map((counter) => counter.tally());
}

function judgementOf(logs: { low: number; high: number; ratio: number }, runs: number): Judgement {
  const effect = {
    low: Math.exp(logs.low),
    high: Math.exp(logs.high),
    ratio: Math.exp(logs.ratio),
    level: 0.95,
  };
  return { verdict: decide(effect, MIN_EFFECT), effect, minEffect: MIN_EFFECT, runs, notes: [] };
}
