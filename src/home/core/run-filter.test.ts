import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesRun, readRunFilter } from './run-filter.ts';

const night = {
  run: { id: '20260131-020000-ab', kind: 'night', label: '01-31-2026-0200', project: 'p', state: 'finished' },
  machine: 'bench-1',
  trials: [
    { task: 'sort', title: 'Sorting numbers', state: 'succeeded', commits: { repo: '6de6d63-dirty' } },
    { task: 'broken', state: 'failed', commits: {} },
  ],
} as const;

test('all words are found, in whatever name they stand', () => {
  assert.equal(matchesRun(night, { text: ' NUMBERS bench-1 6de6 ' }), true);
  assert.equal(matchesRun(night, { text: 'numbers bench-2' }), false);
});

test('a run with a failed task is found as failed and as finished', () => {
  assert.equal(matchesRun(night, { state: 'failed' }), true);
  assert.equal(matchesRun(night, { state: 'finished' }), true);
  assert.equal(matchesRun(night, { state: 'running' }), false);
  assert.equal(matchesRun(night, { kind: 'duet' }), false);
  assert.equal(matchesRun({ ...night, trials: [] }, { state: 'failed' }), false);
});

test('an unknown kind or state is ignored', () => {
  assert.deepEqual(readRunFilter({ kind: 'x', state: 'toString', text: '  ' }), {});
  assert.deepEqual(readRunFilter({ kind: 'night', state: 'failed', text: ' a ' }), {
    kind: 'night',
    state: 'failed',
    text: 'a',
  });
});
