import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourceRange } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { groupChanges } from './change-groups.ts';
import { commitsText, groupTitle } from './change-text.ts';

const range = (source: string, before: string, after: string): SourceRange => ({
  ...{ source, before, after, added: 2, removed: 0, link: 'https://example.org/compare' },
  commits: [
    { hash: after, subject: 'Use a slower hash', author: 'Ada', at: Date.UTC(2026, 0, 5) },
    { hash: 'b'.repeat(40), subject: 'Tidy', author: 'Bob', at: 0 },
  ],
});

function change(id: string, runId: string, sources?: readonly SourceRange[]): FollowedChange {
  return {
    ...{
      id,
      series: { kind: 'value', experiment: id, path: ['time'] },
      unit: 's',
      better: 'lower',
      at: 1,
      runId,
    },
    ...{ before: 1, after: 2, shift: { difference: 1, low: 0.9, high: 1.1, level: 0.95 }, p: 0 },
    ...{ direction: 'worse', isProvisional: false, detector: 'd', foundAt: 1, state: 'new' },
    ...(sources && { sources }),
  };
}

test('changes that begin with the same commit are one event, whenever they were measured last before', () => {
  const groups = groupChanges([
    change('a', 'r9', [range('engine', 'a1', 'c3')]),
    change('b', 'r9', [range('engine', 'b2', 'c3')]),
    change('c', 'r9', [range('other', 'x', 'y')]),
    change('d', 'r9'),
    change('e', 'r8'),
    change('f', 'r9'),
  ]);
  assert.deepEqual(
    groups.map(({ changes }) => changes.map(({ id }) => id)),
    [['a', 'b'], ['c'], ['d', 'f'], ['e']],
  );
});

test('a machine is an event of its own', () => {
  const series = { kind: 'machine', machine: 'm', measure: 'speed' } as const;
  const groups = groupChanges([change('a', 'r1'), { ...change('m', 'r1'), series }]);
  assert.equal(groups.length, 2);
});

test('an event is named by its commits: hash, author, subject, and how many more', () => {
  const sources = [range('engine', 'a1b2c3d', 'c'.repeat(40))];
  assert.equal(commitsText(sources), 'engine cccccccccccc Use a slower hash (Ada), or 1 other since a1b2c3d');
  const [group] = groupChanges([change('a', 'r9', sources)]);
  assert.equal(group && groupTitle(group.changes[0]), commitsText(sources));
  assert.equal(groupTitle(change('d', '20260105-020000-test')), '');
});
