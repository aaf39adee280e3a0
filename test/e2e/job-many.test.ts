import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import openPostgresQueue from '../../src/jobs/adapters/queues/postgres/postgres.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import type { JobQueue } from '../../src/jobs/core/job-queue.ts';
import { runBinary, startBinary } from '../support/binary.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';

/** More of them find more: NIGHTMARK_TEST_JOBS=1000. */
const JOBS = Number(process.env['NIGHTMARK_TEST_JOBS'] ?? 300);
/** One line when it begins and one before it ends; every tenth fails. */
const SCRIPT =
  'echo "begin {i} $NIGHTMARK_RUN_ID" >> "$LOG"; echo "end {i}" >> "$LOG"; case {i} in *3) exit 5;; esac';

interface Scene {
  readonly home: string;
  readonly env: Record<string, string>;
  readonly words: readonly string[];
  open(): Promise<JobQueue>;
  /** Something bad that happens to the place of the queue. */
  disturb?(): void;
}

/** Two workers, one of which is killed and replaced in between. */
async function play({ home, env, words, open, disturb }: Scene): Promise<void> {
  const log = join(home, 'log.txt');
  const submitted = await runBinary(
    [
      'job',
      'submit',
      '--home',
      home,
      ...words,
      '--code',
      'none',
      '--sweep',
      `i=1..${JOBS}`,
      '--env',
      `LOG=${log}`,
    ].concat(['--', 'sh', '-c', SCRIPT]),
    env,
  );
  assert.equal(submitted.code, 0, submitted.stderr);
  const ids = submitted.stdout.trim().split('\n');
  assert.equal(new Set(ids).size, JOBS);

  const work = () => {
    const worker = startBinary(['job', 'work', '--home', home, ...words, '--once', '--slots', '3'], env);
    // What nobody reads fills the pipe, and then the worker waits.
    worker.stderr?.resume();
    return worker;
  };
  const [first, second] = [work(), work()];
  const closed = once(second, 'close');
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  while (lines().length < 0.3 * JOBS) await new Promise((resolve) => setTimeout(resolve, 20));
  const dead = once(first, 'close');
  first.kill('SIGKILL');
  await dead;
  disturb?.();
  const third = work();
  await Promise.all([closed, once(third, 'close')]);

  const queue = await open();
  try {
    const jobs = await queue.list({ limit: JOBS + 1 });
    assert.equal(jobs.length, JOBS);
    const all = lines();
    for (const job of jobs) {
      const i = Number(job.overrides['i']);
      const expected = i % 10 === 3 ? 'FAILED' : 'FINISHED';
      assert.equal(job.status, expected, `${i}: ${job.reason}`);
      assert.deepEqual(job.exit, { type: 'code', code: i % 10 === 3 ? 5 : 0 });
      assert.equal(job.attempt, 1 + job.lost);
      // Only an attempt whose worker was killed may be missing, or there beside the one that counts.
      const begun = all.filter((line) => line.startsWith(`begin ${i} `));
      assert.equal(new Set(begun).size, begun.length, 'an attempt ran twice');
      assert.ok(begun.includes(`begin ${i} ${job.id}-${job.attempt}`));
      assert.ok(begun.length <= job.attempt, `${i} ran ${begun.length} times in ${job.attempt} attempts`);
    }
    const again = jobs.filter(({ attempt }) => attempt > 1);
    // A server that dies may take the answers of claims with it, one for each of the six slots that live.
    const most = disturb ? 9 : 3;
    assert.ok(again.length <= most, `${again.length} jobs were lost with a worker of three`);
  } finally {
    await queue.close();
  }
}

test(`${JOBS} jobs in SQLite, two workers, one killed: each ran once`, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-many-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const open = () => openSqliteQueue({ place: join(home, '.nightmark/jobs.db') });
  await play({ home, env: {}, words: [], open });
});

test(`${JOBS} jobs in PostgreSQL, which dies as well: each ran once`, {
  skip: skipWithoutPostgres(),
}, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-many-'));
  const server = await PostgresServer.start();
  t.after(() => {
    server.remove();
    rmSync(home, { recursive: true, force: true });
  });
  const env = { NIGHTMARK_POSTGRES_URL: server.url('jobs') };
  const open = () => openPostgresQueue({ place: server.url('jobs') });
  const disturb = () => {
    server.down('immediate');
    server.up();
  };
  await play({ home, env, words: ['--postgres'], open, disturb });
});
