import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { changesHeadline, facetCounts, isChosen, stateChoice } from './change-filter.ts';
import { triageParts } from './use-triage.ts';

function change(id: string, more: Partial<FollowedChange> = {}): FollowedChange {
  return {
    ...{ id, series: { kind: 'value', experiment: 'sort', path: ['time'] }, unit: 's', better: 'lower' },
    ...{ at: 1, runId: 'run-1', before: 1, after: 2, p: 0.001, direction: 'worse', isProvisional: false },
    ...{ shift: { difference: 1, low: 1, high: 1, level: 0.95 }, detector: 'x', foundAt: 2, state: 'new' },
    ...more,
  };
}

const ALL = [
  change('a'),
  change('b', { state: 'expected', note: 'larger input' }),
  change('c', { direction: 'better', series: { kind: 'value', experiment: 'json', path: ['time'] } }),
  change('d', { series: { kind: 'machine', machine: 'bench-1', measure: 'speed' } }),
  change('e', { withdrawnAt: 5 }),
];
const idsOf = (choice: Parameters<typeof isChosen>[1]) =>
  ALL.filter((one) => isChosen(one, choice)).map(({ id }) => id);

test('without a choice those that wait for somebody are shown', () => {
  assert.equal(stateChoice(undefined), 'open');
  assert.equal(stateChoice('<b>'), 'open');
  assert.deepEqual(idsOf({ state: 'open' }), ['a', 'c', 'd']);
  assert.deepEqual(idsOf({ state: 'all' }), ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(idsOf({ state: 'withdrawn' }), ['e']);
});

test('facets and words narrow it down, and every word must be somewhere', () => {
  assert.deepEqual(idsOf({ state: 'open', kind: 'machine' }), ['d']);
  assert.deepEqual(idsOf({ state: 'open', group: 'sort', direction: 'worse' }), ['a']);
  assert.deepEqual(idsOf({ state: 'all', text: 'INPUT sort' }), ['b']);
  assert.deepEqual(idsOf({ state: 'all', text: 'input json' }), []);
});

test('a facet is counted under the others, not under itself', () => {
  const counts = facetCounts(ALL, { state: 'open', direction: 'worse' }, 'direction');
  assert.deepEqual(
    [...counts],
    [
      ['worse', 2],
      ['better', 1],
    ],
  );
  const states = facetCounts(ALL, { state: 'open' }, 'state');
  assert.deepEqual([states.get('open'), states.get('withdrawn'), states.get('all')], [3, 1, 5]);
});

test('the answer counts what is open, and what people said', () => {
  assert.equal(
    changesHeadline(ALL),
    '1 open regression, 1 open event of a machine, 1 open improvement, 1 expected',
  );
  assert.equal(changesHeadline([]), 'No open regression');
});

test('changes with the same word go in one request, empty notes are none', () => {
  assert.deepEqual(
    triageParts([
      ['a', { state: 'new', note: '' }],
      ['b', { state: 'false', note: 'noise' }],
      ['c', { state: 'false', note: 'noise' }],
    ]),
    [
      { state: 'new', ids: ['a'] },
      { state: 'false', note: 'noise', ids: ['b', 'c'] },
    ],
  );
});
