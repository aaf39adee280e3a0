import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialState } from '../../../home/core/run.ts';
import { findLostExperiment } from './lost-experiment.ts';

/** A letter a night: s succeeded, f failed, k skipped, i inactive, - not there. */
function lost(letters: string): number | undefined {
  const states: Readonly<Record<string, TrialState>> = {
    s: 'succeeded',
    f: 'failed',
    k: 'skipped',
    i: 'inactive',
  };
  const trials = [...letters].flatMap((letter, at) => {
    const state = states[letter];
    return state === undefined ? [] : [{ at, runId: `r${at}`, state }];
  });
  return findLostExperiment({ trials, nights: [...letters].map((_, at) => at) })?.lastAt;
}

test('three failures, or three nights without it, make an experiment lost', () => {
  assert.deepEqual(['ssff', 'ssfff', 'ss--', 'ss---'].map(lost), [undefined, 1, undefined, 1]);
});

test('what was there once, is switched off or waits for a new commit is not lost', () => {
  assert.deepEqual(['s----', 'ssii', 'ss----i', 'sskkkk', 'fffff', ''].map(lost), [
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

test('one that fails often, or comes now and then, may stay away longer', () => {
  assert.deepEqual(['sfffsfff', 'sfffsfffff'].map(lost), [undefined, 4]);
  assert.deepEqual(['s------s-------', 's------s---------------------'].map(lost), [undefined, 7]);
});
