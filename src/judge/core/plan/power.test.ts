import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalSource } from '../../../../bench/accuracy/normal.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeLogRatios, judgeUnpaired } from '../../../stats/verdict.ts';
import { fewestRuns, smallestEffect } from './plan-comparison.ts';
import { noncentralTail, pairsPower, welchPower } from './power.ts';

/** scipy.stats.nct.sf(t, df, shift). */
const SCIPY: readonly (readonly [t: number, df: number, shift: number, tail: number])[] = [
  [2, 1, 0, 0.14758361765043326],
  [2, 1, 1.5, 0.5089800984822763],
  [12.7, 1, 3, 0.18619678199239592],
  [2.776, 4, 2, 0.33590950869692404],
  [2.776, 4, 4.5, 0.9120384287374493],
  [2.101, 18, 3.4, 0.8950313697900344],
  [1.98, 150, 3.3, 0.9057011029951304],
  [2.1, 18, -1, 0.001815948588504952],
  [1.96, 5000, 3.24, 0.8997014378299519],
];

for (const [t, df, shift, tail] of SCIPY) {
  test(`a noncentral t with ${df} degrees and shift ${shift} lies above ${t} as SciPy says`, () => {
    const found = noncentralTail(t, df, shift);
    assert.ok(Math.abs(found - tail) < 1e-5, `${found}, not ${tail}`);
  });
}

const search = { deviation: 1, alpha: 0.05 };

for (const runs of [5, 9, 10, 16, 40]) {
  test(`${runs} runs reach the power that was planned within 3 points`, () => {
    const normal = normalSource(seededRandom(runs));
    const alone = smallestEffect((effect) => welchPower(runs, { ...search, effect }), 0.9) ?? 0;
    const paired = smallestEffect((effect) => pairsPower(runs, { ...search, effect }), 0.9) ?? 0;
    const draw = (shift: number) => Float64Array.from({ length: runs }, () => normal.next() + shift);
    const options = { level: 0.95, minEffect: 0 };
    const repetitions = 1500;
    const found = { alone: 0, paired: 0 };
    for (let index = 0; index < repetitions; index++) {
      const [a, b] = [judgeUnpaired(draw(0), draw(alone), options), judgeLogRatios(draw(paired), options)];
      if ((a.effect?.low ?? 0) > 1) found.alone++;
      if ((b.effect?.low ?? 0) > 1) found.paired++;
    }
    assert.ok(Math.abs(found.alone / repetitions - 0.9) < 0.03, `alone ${found.alone / repetitions}`);
    assert.ok(Math.abs(found.paired / repetitions - 0.9) < 0.03, `pairs ${found.paired / repetitions}`);
  });
}

test('without any effect the power is the rate of false alarms', () => {
  assert.ok(Math.abs(welchPower(200, { ...search, effect: 0 }) - 0.05) < 1e-3);
  assert.ok(Math.abs(pairsPower(8, { ...search, effect: 0 }) - 0.05) < 1e-6);
});

test('the fewest runs have the power and one run less does not', () => {
  for (const effect of [0.2, 0.5, 1]) {
    const powerOf = (runs: number) => welchPower(runs, { ...search, effect });
    const runs = fewestRuns(powerOf, 0.9) ?? 0;
    assert.ok(powerOf(runs) >= 0.9 && powerOf(runs - 1) < 0.9, `${runs} runs for ${effect}`);
  }
});

test('what needs more than 100,000 runs is out of reach', () => {
  assert.equal(
    fewestRuns((runs) => welchPower(runs, { ...search, effect: 0.001 }), 0.9),
    undefined,
  );
});
