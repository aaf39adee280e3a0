import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobQueue } from '../core/job-queue.ts';
import { lazyQueue } from './lazy-queue.ts';

test('a queue that is not there yet says why, and is asked once it is', async () => {
  const lazy = lazyQueue('postgres', () => 7);
  assert.equal(lazy.queue.id, 'postgres');
  assert.equal(lazy.queue.now(), 7);
  lazy.setUnavailable('the server db cannot be reached');
  await assert.rejects(lazy.queue.count({}), {
    code: 'JOBS_AWAY',
    message: 'The queue of jobs is unavailable: the server db cannot be reached',
  });
  await lazy.queue.close();
  const asked: unknown[] = [];
  const real = {
    now: () => 9,
    async count(query: unknown) {
      asked.push(query);
      return 3;
    },
    close: async () => void asked.push('closed'),
  };
  lazy.setQueue(real as unknown as JobQueue);
  assert.equal(await lazy.queue.count({ project: 'p' }), 3);
  assert.equal(lazy.queue.now(), 9);
  await lazy.queue.close();
  assert.deepEqual(asked, [{ project: 'p' }, 'closed']);
});
