import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { type WatchedSeries, watchWorkload } from './lost-series.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

interface Plan {
  readonly labels: JsonObject;
  /** Days on which it came. */
  readonly days: readonly number[];
  /** Repetitions in one day. */
  readonly times?: number;
}

const days = (first: number, end: number) => Array.from({ length: end - first }, (_, day) => first + day);

/** Tests of a day are a minute apart. */
function states(plans: readonly Plan[]): readonly string[] {
  const series = plans.map(({ labels, days: came, times = 1 }, index): WatchedSeries => {
    const tests = came.flatMap((day) =>
      Array.from({ length: times }, (_, repetition) => ({
        id: `${index}-${day}-${repetition}`,
        at: day * DAY + (repetition * plans.length + index) * MINUTE,
      })),
    );
    return { name: 'latency', labels, times: tests.map(({ at }) => at), testIds: tests.map(({ id }) => id) };
  });
  return watchWorkload(series).states.map(({ state }) => state);
}

test('a series is missing after three rounds without it, and not after two', () => {
  const steady = { labels: { cpu: 1 }, days: days(0, 10) };
  assert.deepEqual(states([steady, { labels: { cpu: 2 }, days: days(0, 8) }]), ['here', 'here']);
  assert.deepEqual(states([steady, { labels: { cpu: 2 }, days: days(0, 7) }]), ['here', 'missing']);
});

test('repetitions are no rounds', () => {
  const steady = { labels: { cpu: 1 }, days: days(0, 10), times: 5 };
  assert.deepEqual(states([steady, { labels: { cpu: 2 }, days: days(0, 9), times: 5 }]), ['here', 'here']);
  assert.deepEqual(states([steady, { labels: { cpu: 2 }, days: days(0, 7), times: 5 }]), ['here', 'missing']);
});

test('one that comes once a week may stay away longer than it ever did', () => {
  const steady = { labels: { cpu: 1 }, days: days(0, 25) };
  assert.deepEqual(states([steady, { labels: { cpu: 2 }, days: [3, 10, 17] }]), ['here', 'here']);
  assert.deepEqual(states([steady, { labels: { cpu: 2 }, days: [2, 9, 16] }]), ['here', 'missing']);
});

test('one that came once only, or very long ago, is not waited for', () => {
  const steady = { labels: { cpu: 1 }, days: days(0, 60) };
  const found = states([
    steady,
    { labels: { cpu: 2 }, days: [50] },
    { labels: { cpu: 4 }, days: days(0, 20) },
  ]);
  assert.deepEqual(found, ['here', 'here', 'forgotten']);
});

test('a version that moved on is no absence, with or without one that stays', () => {
  const versions = [1, 2].flatMap((cpu) => [
    { labels: { cpu, version: '1.0', commit: 'a' }, days: days(0, 5) },
    { labels: { cpu, version: '1.1', commit: 'b' }, days: days(5, 10) },
  ]);
  assert.deepEqual(states(versions), ['here', 'here', 'here', 'here']);
  const fixed = { labels: { cpu: 1, version: '0.9', commit: 'c' }, days: days(0, 10) };
  assert.deepEqual(states([fixed, ...versions]), ['here', 'forgotten', 'here', 'forgotten', 'here']);
  const lost = { labels: { cpu: 8, version: '1.0', commit: 'a' }, days: days(0, 5) };
  assert.equal(states([fixed, ...versions, lost]).at(-1), 'missing');
});

test('a workload whose labels are all new lost nothing', () => {
  const old = [1, 2].map((cpu) => ({ labels: { cpu }, days: days(0, 5) }));
  const fresh = [1, 2].map((cpu) => ({ labels: { cpu, gc: 'on' }, days: days(5, 10) }));
  assert.ok(!states([...old, ...fresh]).includes('missing'));
});
