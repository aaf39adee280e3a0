import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import executor from '../src/executors/adapters/process/process.ts';
import openSqliteQueue from '../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { work } from '../src/jobs/app/work.ts';
import type { WorkEvent } from '../src/jobs/app/work-effects.ts';
import disk from '../src/platform/adapters/local-disk/local-disk.ts';
import clock from '../src/platform/adapters/system-clock.ts';
import { tarArchiver as archiver } from '../src/platform/adapters/tar/tar.ts';
import { jobId, jobSpec } from './support/job-specs.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-lost-claim-'));
after(() => rmSync(folder, { recursive: true }));

/** A minute of the worker passes in a second. */
const QUICKER = 60;

test('a worker takes back a job whose claim was made but never answered, and runs it once', async () => {
  const queue = await openSqliteQueue({ place: join(folder, 'jobs.db') });
  await queue.submit([jobSpec(1, { program: { type: 'command', argv: ['true'] } })]);
  let lost = 0;
  const stop = new AbortController();
  const events: WorkEvent[] = [];
  const began = Date.now();
  const counts = await work(
    {
      ...{ results: join(folder, 'results'), kitDir: folder, slots: 1, remoteSlots: 1 },
      ...{ isDraining: false, onStop: 'cancel' },
    },
    {
      queue: {
        ...queue,
        async claim(request) {
          const claim = await queue.claim(request);
          if (claim === undefined || lost > 0) return claim;
          lost++;
          throw new Error('the connection was lost');
        },
      },
      clock: {
        ...clock,
        now: () => began + (Date.now() - began) * QUICKER,
        sleep: (ms, signal) => clock.sleep(ms / QUICKER, signal),
      },
      ...{ disk, archiver, executors: new Map([['process', executor]]), signal: stop.signal },
      worker: { host: hostname(), pid: process.pid, incarnation: 'test' },
      metrics: { send: async () => ({ state: 'delivered' }) },
      ...{ facts: {}, env: {}, decoder: () => new TextDecoder(), md5: (text) => text },
      // By its process the worker lives: only it can know that nobody works on the claim.
      isAlive: () => true,
      canceller: () => new AbortController(),
      report(event) {
        events.push(event);
        if (event.type === 'ended') stop.abort();
      },
    },
  );
  const job = await queue.job(jobId(1));
  await queue.close();
  const told = events.map((event) => (event.type === 'problem' ? event.message : event.type));
  assert.deepEqual(told, ['the connection was lost', 'requeued', 'claimed', 'started', 'ended']);
  assert.deepEqual(
    [job?.status, job?.attempt, job?.lost, counts],
    ['FINISHED', 2, 1, { claimed: 1, failed: 0 }],
  );
});
