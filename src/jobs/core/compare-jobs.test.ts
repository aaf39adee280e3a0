import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobSpec } from '../../../test/support/job-specs.ts';
import { compareJobs } from './compare-jobs.ts';
import { flatKeys } from './dotted-keys.ts';
import type { Job } from './job.ts';
import { NO_FACTS } from './job-facts.ts';
import { jobDurationMs } from './shown-job.ts';

function job(n: number, changes: Partial<Job>): Job {
  const state = { status: 'FINISHED', attempt: 1, lost: 0, registered: 1, config: {}, ranks: [] } as const;
  return { ...jobSpec(n), ...NO_FACTS, ...state, ...changes };
}

const rowsOf = (title: string, ...jobs: readonly Job[]) =>
  compareJobs(jobs, 0).find((section) => section.title === title)?.rows ?? assert.fail();

test('keys lead into objects; lists and empty objects are values', () => {
  const flat = flatKeys({ a: { b: { c: 1 }, d: {} }, 'x.y': [1, { z: 2 }], n: null });
  assert.deepEqual(
    [...flat],
    [
      ['a.b.c', 1],
      ['a.d', {}],
      ['x.y', [1, { z: 2 }]],
      ['n', null],
    ],
  );
});

test('a missing key differs from null, and the order of keys makes no difference', () => {
  const [a, b] = [
    job(1, { config: { n: null, l: [{ x: 1, y: 2 }] } }),
    job(2, { config: { l: [{ y: 2, x: 1 }] } }),
  ];
  assert.deepEqual(rowsOf('configuration', a, b), [
    { key: 'l', values: [[{ x: 1, y: 2 }], [{ y: 2, x: 1 }]], isEqual: true },
    { key: 'n', values: [null, undefined], isEqual: false },
  ]);
});

test('numbers of two jobs have a change relative to the first, of three they have none, from zero they have none', () => {
  const [a, b, c] = [-2, -3, 0].map((lr, n) => job(n, { config: { lr } })) as [Job, Job, Job];
  assert.equal(rowsOf('configuration', a, b)[0]?.change, -0.5);
  assert.equal(rowsOf('configuration', a, b, c)[0]?.change, undefined);
  assert.equal(rowsOf('configuration', c, a)[0]?.change, undefined);
});

test('secrets are compared and not shown', () => {
  const [a, b] = ['one', 'two'].map((token, n) => job(n, { env: { HF_TOKEN: token } })) as [Job, Job];
  const row = rowsOf('environment', a, b).find(({ key }) => key === 'variables.HF_TOKEN');
  assert.deepEqual(row, { key: 'variables.HF_TOKEN', values: ['***', '***'], isEqual: false });
});

test('a silent job lasted until its last sign of life, one that waits again has not begun', () => {
  const running = job(1, { status: 'RUNNING', startedAt: 1_000, heartbeatAt: 5_000 });
  assert.equal(jobDurationMs(running, 6_000), 5_000);
  assert.equal(jobDurationMs(running, 60_000), 4_000);
  assert.equal(jobDurationMs({ ...running, status: 'CREATED' }, 6_000), undefined);
});
