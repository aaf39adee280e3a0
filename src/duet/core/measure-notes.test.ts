import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judgement, Verdict } from '../../stats/verdict.ts';
import { disagreement } from './measure-notes.ts';

interface Case {
  readonly wall: Verdict;
  readonly cpu?: Verdict;
  /** Means of wall and CPU time, seconds. */
  readonly A: readonly [number, number];
  readonly B: readonly [number, number];
  readonly gap?: readonly [number, number];
}

function noteOf({ wall, cpu, A, B, gap }: Case, decidedBy: 'wall' | 'cpu' = 'wall'): string | undefined {
  const side = (name: string, [time, user]: readonly [number, number]) => ({
    name,
    times: [time, time],
    user,
    system: 0,
  });
  return disagreement({
    sides: { A: side('A', A), B: side('B', B) },
    measures: [
      { measure: 'wall', judgement: judgement(wall) },
      ...(cpu === undefined ? [] : [{ measure: 'cpu' as const, judgement: judgement(cpu) }]),
    ],
    decidedBy,
    ...(gap && { gap: judgement('slower', gap) }),
  });
}

function judgement(verdict: Verdict, [low, high] = [1, 1] as readonly [number, number]): Judgement {
  return { verdict, effect: { ratio: 1, low, high, level: 0.95 }, minEffect: 0.01, runs: 10, notes: [] };
}

test('slower without more CPU time is waiting', () => {
  assert.equal(
    noteOf({ wall: 'slower', cpu: 'same', A: [0.1, 0.05], B: [0.15, 0.0505] }),
    'B waits more than A: it takes 50.0 ms longer, with 500 µs more CPU time. The rest is input and output, a lock, a timer or another process.',
  );
  const unclear = { wall: 'slower', cpu: 'undecided', A: [0.1, 0.05], B: [0.15, 0.0505] } as const;
  assert.equal(noteOf(unclear), undefined);
  assert.match(noteOf({ ...unclear, gap: [0.6, 0.8] }) ?? '', /^B waits more/);
});

test('a command too short for its CPU time to be judged waits where next to none of the longer time is CPU time', () => {
  assert.match(
    noteOf({ wall: 'slower', A: [0.02, 0.001], B: [0.1, 0.0012] }) ?? '',
    /^B waits more than A: it takes 80.0 ms longer, with 200 µs more CPU time/,
  );
  assert.equal(noteOf({ wall: 'slower', A: [0.002, 0.001], B: [0.004, 0.003] }), undefined);
});

test('more CPU time in the same or a shorter wall time is work beside it', () => {
  assert.equal(
    noteOf({ wall: 'same', cpu: 'slower', A: [0.1, 0.1], B: [0.1, 0.12] }),
    'B uses 20.0 ms more CPU time in the same wall time: in other threads, or while it would wait.',
  );
  assert.equal(
    noteOf({ wall: 'faster', cpu: 'slower', A: [0.2, 0.2], B: [0.12, 0.22] }),
    'B is faster with 20.0 ms more CPU time: it waits less, or more of its work runs at the same time.',
  );
});

test('CPU time that is certain and may not decide is said', () => {
  const open = { wall: 'undecided', cpu: 'slower', A: [0.1, 0.05], B: [0.1, 0.06] } as const;
  assert.match(
    noteOf(open) ?? '',
    /^B uses 10.0 ms more CPU time than A, and that is certain; .*--measure cpu/,
  );
  assert.equal(noteOf(open, 'cpu'), undefined);
});

test('measures that agree need no words', () => {
  assert.equal(noteOf({ wall: 'slower', cpu: 'slower', A: [1, 1], B: [2, 2] }), undefined);
  assert.equal(noteOf({ wall: 'undecided', cpu: 'undecided', A: [1, 1], B: [1, 1] }), undefined);
});
