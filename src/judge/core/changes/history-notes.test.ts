import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../../home/core/store.ts';
import { historyNotes } from './history-notes.ts';

const outcome = (at: number, machineId: string | undefined, commits: Record<string, string>): Outcome => ({
  ...{ runId: `r${at}`, label: '', at, state: 'succeeded', message: '', commits },
  ...(machineId !== undefined && { machineId }),
});
const words = (outcomes: readonly Outcome[]) =>
  historyNotes(outcomes, (id) => id.toUpperCase()).map(({ at, text }) => `${at} ${text}`);

test('another machine, other sources and a few other commits are reported', () => {
  assert.deepEqual(
    words([
      outcome(1, 'a', { repo: '1' }),
      outcome(2, undefined, {}),
      outcome(3, 'a', { repo: '2' }),
      outcome(4, 'b', { repo: '2', lib: '7' }),
    ]),
    ['3 repo 2', '4 machine B', '4 from lib, repo'],
  );
});

test('a commit each night is left to the pointer', () => {
  const nights = Array.from({ length: 20 }, (_, at) => outcome(at, 'a', { repo: String(at) }));
  assert.deepEqual(words(nights), []);
});
