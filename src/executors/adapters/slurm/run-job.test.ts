import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StuckJobCheck } from './run-job.ts';

const pending = (reason: string) => ({ state: 'PENDING', reason });

test('gives up what can never run, but not at the first word', () => {
  for (const reason of [
    'PartitionConfig',
    'BadConstraints',
    'launch failed requeued held',
    'QOSMaxCpuPerJobLimit',
    'AssocMaxWallDurationPerJobLimit',
  ]) {
    const patience = new StuckJobCheck();
    assert.equal(patience.judge(pending(reason), 0), 'wait');
    assert.equal(patience.judge(pending(reason), 10_001), 'hopeless', reason);
  }
});

test('waits for what may still come, as long as it takes', () => {
  for (const reason of [
    'Resources',
    'Priority',
    'Dependency',
    'JobHeldUser',
    'QOSMaxJobsPerUserLimit',
    'None',
  ]) {
    const patience = new StuckJobCheck();
    assert.equal(patience.judge(pending(reason), 0), 'wait');
    assert.equal(patience.judge(pending(reason), 1e9), 'wait', reason);
  }
});

test('a reason that went away counts from its return', () => {
  const patience = new StuckJobCheck();
  patience.judge(pending('BadConstraints'), 0);
  patience.judge(pending('Resources'), 9_000);
  assert.equal(patience.judge(pending('BadConstraints'), 11_000), 'wait');
  assert.equal(patience.judge(pending('BadConstraints'), 21_001), 'hopeless');
});

test('a job that does not get done with ending is over at last', () => {
  const patience = new StuckJobCheck();
  const completing = { state: 'COMPLETING', reason: 'None' };
  assert.equal(patience.judge(completing, 0), 'wait');
  assert.equal(patience.judge(completing, 90_001), 'ended');
  assert.equal(patience.judge('gone', 90_002), 'ended');
});
