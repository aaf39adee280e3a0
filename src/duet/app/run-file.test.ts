import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlannedRun } from '../core/duet.ts';
import { RunEstimate } from './run-file.ts';

const duet = (benchmark: string): PlannedRun => ({ type: 'duet', benchmark, runid: 0, order: 'AB' });

test('knows nothing before the first run', () => {
  assert.equal(new RunEstimate([duet('a')]).leftMs(), undefined);
});

test('goes by runs of the same kind, and by all where there was none', () => {
  const estimate = new RunEstimate(['a', 'a', 'a', 'b', 'b', 'c'].map(duet));
  estimate.add(duet('a'), 100);
  estimate.add(duet('a'), 300);
  estimate.add(duet('b'), 800);
  assert.equal(estimate.leftMs(), 200 + 800 + 400);
});
