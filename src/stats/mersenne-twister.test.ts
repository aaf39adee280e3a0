import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pythonRandom } from './mersenne-twister.ts';

interface Recorded {
  readonly choice20: readonly string[];
  readonly shuffle12: readonly number[];
  readonly getrandbits32x5: readonly number[];
  /** 1, 5, 31, 33, 47 and 53 bits. */
  readonly getrandbits?: readonly number[];
  readonly word2000?: number;
}

const recorded = (file: string) =>
  JSON.parse(readFileSync(`test/golden/duet/${file}`, 'utf8')) as Record<string, Recorded>;
// mt19937-more.json was recorded with CPython 3.11: seeds of several words, below zero, and more words than the state.
const cases = { ...recorded('mt19937.json'), ...recorded('mt19937-more.json') };

test('there are seeds to check', () => assert.equal(Object.keys(cases).length, 11));

for (const [seed, expected] of Object.entries(cases)) {
  const fresh = () => pythonRandom(seed.startsWith('2**') ? 2n ** 20000n + 12345n : BigInt(seed));

  test(`seed ${seed} gives the words, choices and orders of CPython`, () => {
    const words = fresh();
    assert.deepEqual(
      expected.getrandbits32x5.map(() => words.getRandBits(32)),
      expected.getrandbits32x5,
    );
    const choices = fresh();
    assert.deepEqual(
      expected.choice20.map(() => choices.choice(['AB', 'BA'])),
      expected.choice20,
    );
    assert.deepEqual(fresh().shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), expected.shuffle12);
  });

  if (expected.getrandbits === undefined) continue;
  test(`seed ${seed} gives CPython's numbers of other sizes, and far into the sequence`, () => {
    const random = fresh();
    assert.deepEqual(
      [1, 5, 31, 33, 47, 53].map((bits) => random.getRandBits(bits)),
      expected.getrandbits,
    );
    const long = fresh();
    for (let i = 1; i < 2000; i++) long.getRandBits(32);
    assert.equal(long.getRandBits(32), expected.word2000);
  });
}

test('a seed may be a number or a bigint', () => {
  assert.equal(pythonRandom(42).getRandBits(32), 2746317213);
  assert.equal(pythonRandom(42n).getRandBits(32), 2746317213);
});

test('shuffling leaves the given list as it is', () => {
  const items = [1, 2, 3];
  pythonRandom(1).shuffle(items);
  assert.deepEqual(items, [1, 2, 3]);
});
