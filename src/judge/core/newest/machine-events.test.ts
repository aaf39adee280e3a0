import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeMany, type ManySeries } from './judge-many.ts';
import { findMachineEvent } from './machine-events.ts';

/** A hundred series of twelve nights with noise of 1 to 3 %, each with its own size. */
function suite(seed: number, factorOf: (place: number) => number): readonly ManySeries<number>[] {
  const random = seededRandom(seed);
  const normal = () => normalQuantile(Math.max(1e-9, random()));
  return Array.from({ length: 100 }, (_, id) => {
    const [size, noise] = [10 ** (4 * random()), 0.01 + 0.02 * random()];
    const values = Float64Array.from({ length: 13 }, () => size * Math.exp(noise * normal()));
    const newest = values.slice(12).map((value) => value * factorOf(id));
    return { id, history: values.subarray(0, 12), newest, better: 'lower', scope: 'm1 s' };
  });
}
const reported = (series: readonly ManySeries<number>[]) => {
  const { verdicts, machines, counts } = judgeMany(series);
  const ids = verdicts.filter(({ verdict }) => ['slower', 'faster'].includes(verdict)).map(({ id }) => id);
  return { ids, machines, counts };
};

test('a hundred series that are 14 % slower are one machine event and no change', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { ids, machines } = reported(suite(seed, () => 1.14));
    assert.deepEqual(ids, [], `seed ${seed}`);
    assert.equal(machines.length, 1);
    const [event] = machines;
    assert.ok(event !== undefined && event.low < 1.14 && event.high > 1.14, `${event?.low} ${event?.high}`);
    assert.ok(Math.abs(event.factor - 1.14) < 0.01);
    assert.equal(event.scope, 'm1 s');
  }
});

test('a series that changed besides is still reported, with the part of the machine removed', () => {
  const series = suite(6, (place) => (place === 42 ? 1.14 * 1.5 : 1.14));
  const { ids, machines } = reported(series);
  assert.deepEqual(ids, [42]);
  assert.equal(machines.length, 1);
  const change = judgeMany(series).verdicts[42]?.shift?.relative?.change ?? 0;
  assert.ok(Math.abs(change - 0.5) < 0.1, `${change}`);
});

test('a series that stands still while its machine moves is not called faster', () => {
  const { ids } = reported(suite(7, (place) => (place === 3 ? 1 : 1.14)));
  assert.deepEqual(ids, []);
});

test('rates move the other way', () => {
  const mixed = suite(8, (place) => (place % 2 === 0 ? 1.14 : 1 / 1.14)).map((one) => ({
    ...one,
    better: one.id % 2 === 0 ? ('lower' as const) : ('higher' as const),
  }));
  const { ids, machines } = reported(mixed);
  assert.deepEqual(ids, []);
  assert.equal(machines.length, 1);
});

test('a third of the series that changed is no machine event', () => {
  const { ids, machines } = reported(suite(9, (place) => (place < 33 ? 1.2 : 1)));
  assert.deepEqual(machines, []);
  assert.ok(ids.length >= 30 && ids.every((id) => id < 33), `${ids}`);
});

test('nothing moved: no event, and next to no change', () => {
  const { ids, machines, counts } = reported(suite(10, () => 1));
  assert.deepEqual(machines, []);
  assert.ok(ids.length <= 1);
  assert.equal(counts.reported + counts.heldBack + counts.same + counts.undecided + counts.notJudged, 100);
});

test('four series, or shifts that do not agree, are no event', () => {
  const shift = { logRatio: 0.13, error: 0.01 };
  assert.equal(findMachineEvent(Array(4).fill(shift)), undefined);
  assert.equal(findMachineEvent(Array(5).fill(shift))?.agreeing, 5);
  const apart = [0.1, 0.5, 0.9, -0.4, 1.4, 0.02].map((logRatio) => ({ logRatio, error: 0.01 }));
  assert.equal(findMachineEvent(apart), undefined);
  assert.equal(findMachineEvent(Array(9).fill({ logRatio: 0.005, error: 0.0001 })), undefined);
});
