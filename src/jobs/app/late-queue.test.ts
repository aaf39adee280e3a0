import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobQueue } from '../core/job-queue.ts';
import { lateQueue } from './late-queue.ts';

test('a queue that is not there yet says why, and is asked once it is', async () => {
  const late = lateQueue('postgres', () => 7);
  assert.equal(late.queue.id, 'postgres');
  assert.equal(late.queue.now(), 7);
  late.isAway('the server db cannot be reached');
  await assert.rejects(late.queue.count({}), {
    code: 'JOBS_AWAY',
    message: 'The queue of jobs is unavailable: the server db cannot be reached',
  });
  await late.queue.close();
  const asked: unknown[] = [];
  const real = {
    now: () => 9,
    async count(query: unknown) {
      asked.push(query);
      return 3;
    },
    close: async () => void asked.push('closed'),
  };
  late.isHere(real as unknown as JobQueue);
  assert.equal(await late.queue.count({ project: 'p' }), 3);
  assert.equal(late.queue.now(), 9);
  await late.queue.close();
  assert.deepEqual(asked, [{ project: 'p' }, 'closed']);
});
