import { planLooks } from '../../src/stats/sequential-looks.ts';
import { judgeLogRatios } from '../../src/stats/verdict.ts';
import { type Design, duets, type Repeat, runRatios } from './comparisons.ts';
import { makeCounter, type Tally } from './tally.ts';

export const EFFECTS = [0, 0.005, 0.01, 0.02];
const LEVEL = 0.95;
export const MIN_EFFECT = 0.01;

/** Every effect is put on the same noise: it adds to the log ratios, so one simulation serves them all. */
export function fixedCells(design: Design, repeat: Repeat): readonly Tally[] {
  const counters = EFFECTS.map((effect) => makeCounter(Math.log1p(effect)));
  for (const pairs of duets(design, repeat)) {
    const ratios = runRatios(pairs);
    for (const [index, counter] of counters.entries()) {
      const shifted = shift(ratios, Math.log1p(EFFECTS[index] ?? 0));
      counter.add(judgeLogRatios(shifted, { level: LEVEL, minEffect: MIN_EFFECT }));
    }
  }
  return counters.map((counter) => counter.tally());
}

/** The same with looks; `minEffect` 0 shows false alarms that no early `same` prevents. */
export function lookCells(design: Design, repeat: Repeat & { readonly minEffect: number }): readonly Tally[] {
  const looks = planLooks(design.runs, LEVEL);
  const counters = EFFECTS.map((effect) => makeCounter(Math.log1p(effect)));
  for (const pairs of duets(design, repeat)) {
    const ratios = runRatios(pairs);
    for (const [index, counter] of counters.entries()) {
      const shifted = shift(ratios, Math.log1p(EFFECTS[index] ?? 0));
      for (const { runs, level } of looks) {
        const options = { level, minEffect: repeat.minEffect, isEarly: runs < design.runs };
        const judgement = judgeLogRatios(shifted.subarray(0, runs), options);
        if (judgement.verdict === 'undecided' && runs < design.runs) continue;
        counter.add(judgement);
        break;
      }
    }
  }
  return counters.map((counter) => counter.tally());
}

function shift(values: Float64Array, by: number): Float64Array {
  return values.map((value) => value + by);
}
