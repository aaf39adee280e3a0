import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobIds } from './job.ts';
import { jobFolder } from './job-folder.ts';
import { shownStatus } from './shown-job.ts';

test('ids sort by time and differ within one', () => {
  let count = 7;
  const random = () => (count++ * 2654435761) >>> 0;
  const next = jobIds(1_700_000_000_000, random);
  const many = Array.from({ length: 1_000 }, next);
  assert.equal(new Set(many).size, 1_000);
  assert.ok(many.every((id) => /^[0-9a-f]{24}$/.test(id) && id.startsWith('6553f100')));
  assert.ok(jobIds(1_700_000_001_000, random)() > (many[0] ?? ''));
});

test('the folder of a job stays within the results, whatever its names', () => {
  const spec = (more: object) =>
    ({ id: `${'0'.repeat(18)}abcdef`, project: 'p', experiment: 'e', name: 'n', ...more }) as never;
  assert.equal(jobFolder(spec({})), 'p/e/n_abcdef');
  assert.equal(
    jobFolder(spec({ project: '..', experiment: 'a/../../b', name: '.' })),
    '_../a_.._.._b/_._abcdef',
  );
  assert.equal(jobFolder(spec({ project: 'x\0y\n' })), 'x_y_/e/n_abcdef');
});

test('silence makes a running job unresponsive; one that never spoke has just begun', () => {
  assert.equal(shownStatus({ status: 'RUNNING', heartbeatAt: 0 }, 20_000), 'RUNNING');
  assert.equal(shownStatus({ status: 'RUNNING', heartbeatAt: 0 }, 20_001), 'UNRESPONSIVE');
  assert.equal(shownStatus({ status: 'RUNNING' }, 99_999), 'RUNNING');
  assert.equal(shownStatus({ status: 'FINISHED', heartbeatAt: 0 }, 99_999), 'FINISHED');
});
