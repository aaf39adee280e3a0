import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeMany, type ManySeries } from './judge-many.ts';
import { judgeNewest } from './judge-newest.ts';

/** Heavy tails, so that single verdicts do err: a normal value divided by another's root. */
function series(seed: number, count: number, factorOf: (place: number) => number): ManySeries<number>[] {
  const random = seededRandom(seed);
  const normal = () => normalQuantile(Math.max(1e-9, random()));
  const heavy = () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
  return Array.from({ length: count }, (_, id) => {
    const values = Float64Array.from({ length: 21 }, () => Math.exp(0.01 * heavy()));
    const newest = values.slice(20).map((value) => value * factorOf(id));
    return { id, history: values.subarray(0, 20), newest, better: 'lower' };
  });
}

test('of a thousand steady series hardly one is reported, and what is held back is counted', () => {
  let [reported, heldBack, alone] = [0, 0, 0];
  for (let seed = 1; seed <= 5; seed++) {
    const many = series(seed, 1000, () => 1);
    const { counts, verdicts } = judgeMany(many);
    reported += counts.reported;
    heldBack += counts.heldBack;
    alone += many.filter((one) => ['slower', 'faster'].includes(judgeNewest(one).verdict)).length;
    assert.equal(verdicts.filter(({ isHeldBack }) => isHeldBack).length, counts.heldBack);
  }
  assert.ok(alone > 20, `${alone} by themselves`);
  assert.equal(reported + heldBack, alone);
  assert.ok(reported <= 5, `${reported} reported`);
});

test('of what is reported few are false, and most of what changed is reported', () => {
  const { verdicts } = judgeMany(series(9, 500, (place) => (place < 50 ? 1.3 : 1)));
  const reported = verdicts.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster');
  const wrong = reported.filter(({ id }) => id >= 50).length;
  assert.ok(reported.length >= 40, `${reported.length} reported`);
  assert.ok(wrong / reported.length <= 0.1, `${wrong} of ${reported.length} false`);
});

test('what is held back says why and keeps its shift', () => {
  const { verdicts } = judgeMany(series(2, 1000, () => 1));
  const held = verdicts.find(({ isHeldBack }) => isHeldBack);
  assert.equal(held?.verdict, 'undecided');
  assert.match(held?.notes.at(-1) ?? '', /^Held back: among 1000 series/);
  assert.ok(held?.shift !== undefined && held.p !== undefined && held.p < 0.01);
});

test('series without a value or a history do not weaken the others', () => {
  const [one] = series(3, 1, () => 1.5);
  assert.ok(one !== undefined);
  const empty = Array.from({ length: 500 }, (_, id) => ({ ...one, id, newest: new Float64Array(0) }));
  const { counts } = judgeMany([one, ...empty]);
  assert.deepEqual(counts, { reported: 1, heldBack: 0, same: 0, undecided: 0, notJudged: 500 });
  assert.deepEqual(judgeMany([]).verdicts, []);
});

/** 300 entries of a matrix with three earlier values each, noise of 0.3 to 2 %; thirty are a fifth slower. */
const matrix = (seed: number): readonly ManySeries<number>[] => {
  const random = seededRandom(seed);
  return Array.from({ length: 300 }, (_, id) => {
    const noise = 0.003 * (0.02 / 0.003) ** random();
    const draw = () => 50 * (1 + noise * normalQuantile(Math.max(1e-9, random())));
    const history = Float64Array.from({ length: 3 }, draw);
    return { id, history, newest: Float64Array.of(draw() * (id < 30 ? 1.2 : 1)), better: 'lower' };
  });
};

test('thirty of three hundred short series that are a fifth slower are found by what all of them show of the noise', () => {
  for (const seed of [1, 2, 3]) {
    const together = matrix(seed).map((one) => ({ ...one, group: 'entries' }));
    const reported = judgeMany(together).verdicts.filter(({ verdict }) => verdict === 'slower');
    assert.ok(reported.filter(({ id }) => id < 30).length >= 27, `${reported.length} reported`);
    assert.ok(reported.filter(({ id }) => id >= 30).length <= 1);
  }
});
