import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absentNotes } from './measures.ts';

test('what is not available is named with one reason for all', () => {
  const reason = 'perf is not installed';
  const all = ['instructions', 'cycles', 'cache-misses'] as const;
  assert.deepEqual(absentNotes(all.map((measure) => ({ measure, reason }))), [
    'Instructions, cycles and cache misses: not available here: perf is not installed.',
  ]);
  assert.deepEqual(absentNotes([]), []);
});
