import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterLook, crossing, deviateFor, planLooks, START } from './sequential-looks.ts';

test('a comparison is looked at four times at most, in growing steps, the last at the most runs', () => {
  assert.deepEqual(
    planLooks(30, 0.95).map(({ runs }) => runs),
    [6, 11, 18, 30],
  );
  const early = [7, 10, 15, 20].map((maxRuns) => planLooks(maxRuns, 0.95).map(({ runs }) => runs));
  assert.deepEqual(early, [
    [5, 7],
    [5, 10],
    [5, 9, 15],
    [5, 7, 12, 20],
  ]);
  for (let maxRuns = 2; maxRuns <= 200; maxRuns += maxRuns < 40 ? 1 : 13) {
    const looks = planLooks(maxRuns, 0.95);
    assert.ok(looks.length >= 1 && looks.length <= 4);
    assert.equal(looks.at(-1)?.runs, maxRuns);
    assert.ok(looks.every(({ runs }, index) => runs > (looks[index - 1]?.runs ?? 1)));
    assert.ok(looks.every(({ level }) => level >= 0.95 && level < 1));
  }
});

test('too few runs for an early look get one at the level asked for', () => {
  for (const maxRuns of [2, 3, 5, 6])
    assert.deepEqual(planLooks(maxRuns, 0.9), [{ runs: maxRuns, level: 0.9 }]);
});

test('false alarms of all looks together are those of the level, whatever the level', () => {
  for (const level of [0.8, 0.95, 0.99, 0.999]) {
    const alphas = planLooks(40, level).map((look) => 1 - look.level);
    const sum = alphas.reduce((total, alpha) => total + alpha, 0);
    assert.ok(Math.max(...alphas) < 1 - level, 'each look is stricter');
    assert.ok(sum > 1 - level && sum < 2 * (1 - level), `${sum}: looks at the same runs share their alarms`);
  }
});

test('equal looks at one level have the constants of Pocock (1977)', () => {
  // Two-sided 5 %: 2.178 for two looks, 2.361 for four.
  for (const [looks, constant] of [
    [2, 2.178],
    [4, 2.361],
  ] as const) {
    let undecided = START;
    let crossed = 0;
    for (let look = 1; look <= looks; look++) {
      crossed += crossing(undecided, look / looks, constant);
      undecided = afterLook(undecided, look / looks, constant);
    }
    assert.ok(Math.abs(crossed - 0.05) < 1e-4, `${crossed}`);
  }
});

test('one look is the normal test', () => {
  assert.ok(Math.abs(deviateFor(START, 1, 0.05) - 1.959963984540054) < 1e-12);
});
