import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNight } from '../../platform/core/text/describe-night.ts';
import type { Trial } from '../core/run.ts';
import { countTrials } from './run-queries.ts';

const trial = (state: Trial['state'], kind: Trial['kind'] = 'experiment'): Trial => ({
  runId: 'r',
  task: 't',
  kind,
  state,
  message: '',
  commits: {},
});
const all = (['succeeded', 'failed', 'inactive', 'skipped', 'running', 'waiting'] as const).map((state) =>
  trial(state),
);

test('every trial is counted, inactive ones apart', () => {
  assert.deepEqual(countTrials([...all, trial('failed', 'subsystem')], 'experiment'), {
    total: 5,
    succeeded: 1,
    failed: 1,
    skipped: 1,
    unfinished: 2,
    inactive: 1,
  });
});

test('the sentence says what did not succeed', () => {
  const counts = countTrials(all, 'experiment');
  const subsystems = countTrials([trial('failed', 'subsystem')], 'subsystem');
  assert.equal(
    describeNight(counts, subsystems, 4_320_000).replaceAll('\u202f', ' '),
    '1 of 5 experiments succeeded, 1 failed, 1 skipped, 2 not finished, 1 inactive, 1 subsystem failed, 1 h 12 min',
  );
});

test('a night without experiments says so', () => {
  const none = countTrials([], 'experiment');
  assert.equal(describeNight(none, none, undefined), 'no experiment was run');
});
