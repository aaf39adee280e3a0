import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import type { JobLogEntry } from '../../src/jobs/core/job.ts';
import type { Claim, ClaimKey, JobQueue, StatusFilter } from '../../src/jobs/core/job-queue.ts';
import type { JobSearch } from '../../src/jobs/core/job-search.ts';
import { parseSearch, parseWhere } from '../../src/jobs/core/search/parse-search.ts';
import { matches } from '../../src/jobs/core/search/search-matcher.ts';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';
import { NightmarkError } from '../../src/platform/core/errors.ts';
import type { Worker } from '../../src/platform/core/lock.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { newsOf, randomSearches, SEARCHED_JOBS, SEARCHES } from '../support/job-searches.ts';
import { jobId, jobSpec } from '../support/job-specs.ts';
import { shelfPlaces } from '../support/shelf-places.ts';

type OpenQueue = (options: { readonly place: string; readonly now?: () => number }) => Promise<JobQueue>;

const CLAIMER = join(process.cwd(), 'dist/test/support/queue-claimer.js');
/** Thousands were tried; more take long. */
const RANDOM_SEARCHES = Number(process.env['NIGHTMARK_TEST_SEARCHES'] ?? 150);
const START = 1_800_000_000_000;
const ANN: Worker = { host: 'one', pid: 11, incarnation: 'a' };
const BOB: Worker = { host: 'two', pid: 22, incarnation: 'b' };

for (const id of adapterIds('queues')) {
  const places = shelfPlaces(id);
  describe(`the ${id} queue`, { skip: places.skip }, () => {
    const opened: JobQueue[] = [];
    const children: ChildProcess[] = [];
    let time = START;
    after(async () => {
      for (const child of children) child.kill('SIGKILL');
      for (const queue of opened) await queue.close();
      await places.close();
    });

    // Waiting for the disk of the server shows nothing here.
    const newPlace = async () =>
      id === 'sqlite'
        ? join(await places.create(), 'jobs.db')
        : `${await places.create()}&synchronous_commit=off`;
    const open = async (place: string, clock: { readonly now?: () => number } = { now: () => time }) => {
      const openQueue = await loadAdapter<OpenQueue>('queues', id);
      const queue = await openQueue({ place, ...clock });
      opened.push(queue);
      return queue;
    };
    const fresh = async () => {
      time = START;
      return open(await newPlace());
    };
    const claimed = async (queue: JobQueue, worker = ANN): Promise<Claim> =>
      (await queue.claim({ worker, executors: ['process'] })) ?? assert.fail('nothing to claim');
    const running = async (queue: JobQueue, worker = ANN): Promise<Claim> => {
      const claim = await claimed(queue, worker);
      assert.equal(await queue.begin(claim, { host: worker.host, outputDir: 'out' }), true);
      return claim;
    };
    const statusOf = async (queue: JobQueue, n: number) => (await queue.job(jobId(n)))?.status;
    const start = (place: string, ...more: string[]) => {
      const child = spawn(process.execPath, [CLAIMER, id, place, ...more], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      return { child, lines: createInterface({ input: child.stdout }) };
    };

    test('gives back what was submitted, and all of one call or nothing', async () => {
      const queue = await fresh();
      const spec = jobSpec(1, { code: { type: 'package', hash: 'ab12cd34', name: 'code' }, sweep: 's' });
      await queue.submit([spec]);
      const job = await queue.job(spec.id);
      const { status, attempt, lost, registered, config, ranks, ...rest } = job ?? assert.fail();
      assert.deepEqual(
        { status, attempt, lost, registered, config, ranks },
        {
          ...{ status: 'CREATED', attempt: 1, lost: 0, registered: 0 },
          ...{ config: spec.overrides, ranks: [] },
        },
      );
      assert.deepEqual(rest, {
        ...spec,
        ...{ state: {}, annotations: {}, images: {}, timings: [], metrics: [], environment: {} },
      });
      await queue.submit([spec]); // an answer may be lost: the same again is no other job
      await rejects(queue.submit([jobSpec(2), jobSpec(1, { name: 'other' })]), 'JOBS_ID_TWICE');
      assert.equal(await queue.job(jobId(2)), undefined);
      assert.equal(await queue.count({}), 1);
    });

    test('refuses ids and texts that cannot be, and says which', async () => {
      const queue = await fresh();
      await rejects(queue.submit([jobSpec(1, { id: "x'; DROP TABLE jobs" })]), 'JOBS_BAD_ID');
      await rejects(
        queue.submit([jobSpec(1, { overrides: { a: ['x', 'b\0'] } })]),
        'JOBS_NUL',
        /overrides\.a\.1/,
      );
      await rejects(queue.submit([jobSpec(1, { name: 'a\0' })]), 'JOBS_NUL', /name/);
      await rejects(
        queue.submit([jobSpec(1, { after: [jobId(2)] }), jobSpec(2, { after: [jobId(1)] })]),
        'JOBS_CIRCLE',
      );
      assert.equal(await queue.count({}), 0);
    });

    test('keeps hostile texts and large configurations as they are', async () => {
      const queue = await fresh();
      const odd = `'";--\u{1F600}\u2028 $1 ?1 %s {{x}} \\u0000 \\`;
      const overrides = {
        ...{ [odd]: odd, 'a.b': 1, $x: { 'c.d': [null, true, 1e-7] }, '': '', 10: 'ten' },
        ...JSON.parse('{"__proto__": {"polluted": 1}}'),
        big: 'y'.repeat(5_000_000),
      };
      await queue.submit([jobSpec(1, { name: odd, experiment: odd, user: odd, project: odd, overrides })]);
      const job = await queue.job(jobId(1));
      assert.equal(JSON.stringify(job?.config), JSON.stringify(overrides));
      assert.deepEqual([job?.name, job?.experiment, job?.user, job?.project], [odd, odd, odd, odd]);
      assert.equal((await queue.list({ limit: 5, user: odd, name: odd, experiment: odd })).length, 1);
      assert.equal((await queue.list({ limit: 5, user: `${odd}\0` })).length, 0);
      assert.equal(await queue.job("' OR 1=1 --\0"), undefined);
      const claim = await running(queue);
      await queue.report(claim, { info: { 'a.b': 'nul \0', '__proto__.x': 1 }, config: { lone: '\ud800' } });
      const after = await queue.job(jobId(1));
      assert.deepEqual([after?.state['a'], after?.config], [{ b: 'nul \u2400' }, { lone: '\ufffd' }]);
      assert.equal(({} as Record<string, unknown>)['x'], undefined);
    });

    test('claims by priority, then age, then id, and only what was asked for', async () => {
      const queue = await fresh();
      const at = { createdAt: START };
      await queue.submit([
        ...[
          jobSpec(3, at),
          jobSpec(2, at),
          jobSpec(9, { priority: 5 }),
          jobSpec(1, { createdAt: START + 1 }),
        ],
        jobSpec(5, { executor: 'slurm', priority: 9 }),
        jobSpec(6, { project: 'other', priority: 8 }),
      ]);
      const claim = async (more: object) =>
        (await queue.claim({ worker: ANN, executors: ['process'], ...more }))?.job.id;
      assert.equal(await claim({ project: 'nothing' }), undefined);
      assert.equal(await claim({ project: 'vision' }), jobId(9));
      assert.equal(await claim({ ids: [jobId(3), jobId(5)] }), jobId(3));
      assert.equal(await claim({ ids: ['%', "'", jobId(5)] }), undefined);
      assert.equal(await claim({}), jobId(6));
      assert.equal(await claim({ executors: ['slurm', 'process'] }), jobId(5));
      assert.deepEqual([await claim({}), await claim({}), await claim({})], [jobId(2), jobId(1), undefined]);
    });

    test('gives ranks of a job to one worker each, and counts them at the barrier', async () => {
      const queue = await fresh();
      await queue.submit([
        jobSpec(1, { workers: 2 }),
        jobSpec(2, { priority: 9, workers: 2, createdAt: START }),
      ]);
      const first = await claimed(queue);
      await queue.submit([jobSpec(3, { priority: 99 })]);
      const second = await claimed(queue, BOB);
      assert.deepEqual([first.jobId, first.rank, second.jobId, second.rank], [jobId(2), 0, jobId(2), 1]);
      assert.equal((await claimed(queue, BOB)).jobId, jobId(3));
      assert.equal(await queue.arrive(first, 'jobstart'), 1);
      assert.equal(await queue.arrive(first, 'jobstart'), 1);
      assert.equal(await statusOf(queue, 2), 'SCHEDULED');
      assert.equal(await queue.arrive(second, 'jobstart'), 2);
      assert.equal(await queue.begin(second, { host: 'x', outputDir: 'x' }), false);
      assert.equal(await queue.begin(first, { host: 'one', outputDir: 'a/b' }), true);
      const job = await queue.job(jobId(2));
      assert.deepEqual(
        [job?.status, job?.host, job?.outputDir, job?.startedAt, job?.registered],
        [...['RUNNING', 'one', 'a/b', START, 2]],
      );
      assert.deepEqual(job?.ranks, [
        { rank: 0, ...ANN, heartbeatAt: START },
        { rank: 1, ...BOB, heartbeatAt: START },
      ]);
    });

    test('gives a rank that was asked for, or all of them at once', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1, { workers: 3 }), jobSpec(2, { workers: 3 })]);
      const rank = (wanted: number) =>
        queue.claim({ worker: ANN, executors: ['process'], rank: wanted, ids: [jobId(1)] });
      assert.equal((await rank(2))?.rank, 2);
      assert.equal(await rank(2), undefined);
      assert.equal(await rank(3), undefined);
      const whole = await queue.claim({ worker: BOB, executors: ['process'], isWhole: true });
      assert.deepEqual([whole?.jobId, whole?.rank, whole?.job.ranks.length], [jobId(2), 0, 3]);
      assert.equal((await claimed(queue)).rank, 0);
      assert.equal((await claimed(queue)).rank, 1);
      assert.equal(await queue.claim({ worker: ANN, executors: ['process'] }), undefined);
      time += 50_000;
      assert.deepEqual(await queue.heartbeat([whole ?? assert.fail()]), [true]);
      const lost = await queue.requeueLost({
        executors: ['process'],
        afterMs: 40_000,
        limit: 9,
        isAlive: () => undefined,
      });
      assert.deepEqual(
        lost.map(({ id }) => id),
        [jobId(1)],
      );
    });

    test('lays news over what was known', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1)]);
      const claim = await running(queue);
      const timing = { event: 'load', rank: 0, mean: 1, std: 0, instances: 2 };
      const metric = { id: 'm', measurement: 'loss', tags: {}, fields: { value: { count: 1, last: 'nan' } } };
      await queue.report(claim, {
        info: { 'state.progress': 0.4, phase: 'a' },
        timings: [timing],
        metrics: [metric],
      });
      await queue.report(claim, {
        ...{
          info: { 'state.progress': 0.5, 'deep.x': 1 },
          timings: [{ ...timing, mean: 3 }],
          images: { a: 'a.png' },
        },
        ...{
          config: { lr: 3 },
          environment: { python: '3' },
          ref: 'pod-1',
          metrics: [{ ...metric, id: 'n' }],
        },
      });
      const job = await queue.job(jobId(1));
      assert.deepEqual(job?.state, { progress: 0.5, phase: 'a', deep: { x: 1 } });
      assert.deepEqual(
        [job?.timings.length, job?.timings[0]?.mean, job?.metrics.map((it) => it.id)],
        [1, 3, ['m', 'n']],
      );
      assert.deepEqual([job?.config, job?.overrides, job?.ranks[0]?.ref], [{ lr: 3 }, { lr: 0.1 }, 'pod-1']);
      assert.deepEqual([job?.images, job?.environment], [{ a: 'a.png' }, { python: '3' }]);
    });

    test('a job has finished when all its ranks have, and failed when one has', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1, { workers: 3 })]);
      const [zero, one, two] = [await claimed(queue), await claimed(queue, BOB), await claimed(queue, BOB)];
      await queue.begin(zero, { host: 'one', outputDir: '' });
      assert.equal(await queue.end(one, { status: 'FINISHED' }), true);
      assert.equal(await statusOf(queue, 1), 'RUNNING');
      time += 100_000;
      await queue.heartbeat([zero, two]);
      assert.deepEqual(
        await queue.requeueLost({
          executors: ['process'],
          afterMs: 60_000,
          limit: 3,
          isAlive: () => undefined,
        }),
        [],
      );
      assert.equal(await queue.end(zero, { status: 'FINISHED', exit: { type: 'code', code: 0 } }), true);
      assert.deepEqual(await queue.heartbeat([zero, one, two]), [false, false, true]);
      assert.equal(await queue.appendLogs(two, [entry('late')]), true);
      assert.equal(await statusOf(queue, 1), 'RUNNING');
      assert.equal(await queue.end(two, { status: 'FINISHED' }), true);
      assert.equal(await queue.end(two, { status: 'FAILED' }), false);
      assert.equal(await queue.end(zero, { status: 'FAILED' }), false);
      const job = await queue.job(jobId(1));
      assert.deepEqual([job?.status, job?.endedAt, job?.exit], ['FINISHED', time, { type: 'code', code: 0 }]);
      await queue.submit([jobSpec(2, { workers: 2 })]);
      const [first, second] = [await claimed(queue), await claimed(queue, BOB)];
      await queue.begin(first, { host: 'one', outputDir: '' });
      assert.equal(await queue.end(first, { status: 'FINISHED' }), true);
      assert.equal(await queue.end(second, { status: 'FAILED', exception: 'E' }), true);
      const failed = await queue.job(jobId(2));
      assert.deepEqual([failed?.status, failed?.exceptionWorker], ['FAILED', 1]);
    });

    test('resumes what failed or was cancelled, as the next attempt, once its worker has let go', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1), jobSpec(2), jobSpec(3, { after: [jobId(2)] })]);
      const first = await running(queue);
      await queue.cancel([jobId(1), jobId(2)], 'by hand');
      assert.equal(await statusOf(queue, 3), 'CANCELED');
      const outcome = (number: number, isResumed: boolean, isHeld: boolean) => ({
        ...{ id: jobId(number), was: 'CANCELED', isResumed, isHeld },
      });
      assert.deepEqual(await queue.resume([jobId(1), jobId(3), jobId(9)]), [
        outcome(1, false, true),
        outcome(3, true, false),
      ]);
      assert.equal((await claimed(queue)).jobId, jobId(3));
      await queue.end(first, { status: 'CANCELED' });
      assert.deepEqual(await queue.resume([jobId(1)]), [outcome(1, true, false)]);
      const again = await running(queue);
      assert.deepEqual([again.jobId, again.attempt], [jobId(1), 2]);
      await queue.end(again, { status: 'FINISHED' });
      assert.deepEqual(await queue.resume([jobId(1)]), [
        { id: jobId(1), was: 'FINISHED', isResumed: false, isHeld: false },
      ]);
    });

    test('tries a failed job again after a while, as often as it was reported', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1, { retries: 2 })]);
      const waits: (number | undefined)[] = [];
      for (const attempt of [1, 2]) {
        const claim = await running(queue);
        assert.equal(claim.attempt, attempt);
        assert.equal(
          await queue.end(claim, { status: 'FAILED', exception: "ValueError('x')", traceback: 't' }),
          true,
        );
        assert.equal(await queue.claim({ worker: ANN, executors: ['process'] }), undefined);
        const job = await queue.job(jobId(1));
        assert.deepEqual([job?.status, job?.exception, job?.ranks], ['CREATED', "ValueError('x')", []]);
        waits.push((job?.notBefore ?? 0) - time);
        assert.equal(await queue.end(claim, { status: 'FINISHED' }), false);
        time = job?.notBefore ?? 0;
      }
      assert.deepEqual(waits, [5_000, 10_000]);
      const last = await running(queue);
      assert.equal((await queue.job(jobId(1)))?.exception, undefined);
      await queue.end(last, { status: 'FAILED', reason: 'no', exception: 'E' });
      const job = await queue.job(jobId(1));
      assert.deepEqual(
        [job?.status, job?.attempt, job?.reason, job?.exceptionWorker],
        ['FAILED', 3, 'no', 0],
      );
      assert.equal(await queue.claim({ worker: ANN, executors: ['process'] }), undefined);
    });

    test('holds a job until those it waits for have finished, and cancels it when one did not', async () => {
      const queue = await fresh();
      const after = (...ids: number[]) => ({ after: ids.map(jobId) });
      await queue.submit([
        jobSpec(4, after(3)),
        jobSpec(3, after(1, 2, 2)),
        jobSpec(1),
        jobSpec(2),
        jobSpec(8),
      ]);
      for (const n of [1, 2]) {
        const claim = await running(queue);
        assert.equal(claim.jobId, jobId(n));
        await queue.end(claim, { status: 'FINISHED' });
      }
      await queue.submit([jobSpec(5, after(1)), jobSpec(6, after(4, 8)), jobSpec(7, after(6))]);
      assert.equal((await claimed(queue)).jobId, jobId(3));
      assert.deepEqual(await queue.cancel([jobId(3), jobId(3), jobId(99)], 'enough'), [
        { id: jobId(3), was: 'SCHEDULED', isCancelled: true },
      ]);
      const states = await Promise.all([3, 4, 5, 6, 7, 8].map((n) => statusOf(queue, n)));
      assert.deepEqual(states, ['CANCELED', 'CANCELED', 'CREATED', 'CANCELED', 'CANCELED', 'CREATED']);
      assert.match((await queue.job(jobId(4)))?.reason ?? '', new RegExp(`${jobId(3)}.*cancelled`));
      await queue.submit([jobSpec(10, after(99)), jobSpec(11, after(10)), jobSpec(12, after(8))]);
      assert.deepEqual([await statusOf(queue, 10), await statusOf(queue, 11)], ['CANCELED', 'CANCELED']);
      await queue.delete([jobId(8)]);
      assert.match((await queue.job(jobId(12)))?.reason ?? '', /is gone/);
      assert.equal((await claimed(queue)).jobId, jobId(5));
    });

    test('cancels in each state, and the worker learns it by its next heartbeat', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1), jobSpec(2), jobSpec(3), jobSpec(4)]);
      const finished = await running(queue);
      await queue.end(finished, { status: 'FINISHED' });
      const scheduled = await claimed(queue);
      const runs = await running(queue);
      assert.deepEqual(await queue.cancel([1, 2, 3, 4].map(jobId), 'by ada'), [
        { id: jobId(1), was: 'FINISHED', isCancelled: false },
        { id: jobId(2), was: 'SCHEDULED', isCancelled: true },
        { id: jobId(3), was: 'RUNNING', isCancelled: true },
        { id: jobId(4), was: 'CREATED', isCancelled: true },
      ]);
      assert.deepEqual(await queue.heartbeat([scheduled, runs, finished]), [false, false, false]);
      await refused(queue, runs);
      const job = await queue.job(jobId(3));
      assert.deepEqual([job?.status, job?.reason, job?.endedAt], ['CANCELED', 'by ada', time]);
      assert.equal(await statusOf(queue, 1), 'FINISHED');
      assert.equal(await queue.claim({ worker: ANN, executors: ['process'] }), undefined);
    });

    test('who cancelled a job sees when its worker has let go of it', async () => {
      const queue = await open(await newPlace(), {});
      await queue.submit([jobSpec(1)]);
      const claim = await running(queue);
      await queue.cancel([jobId(1)], 'by ada');
      assert.equal((await queue.job(jobId(1)))?.ranks[0]?.isDone, undefined);
      const other = { ...claim, worker: { ...claim.worker, pid: claim.worker.pid + 1 } };
      assert.equal(await queue.end(other, { status: 'CANCELED' }), false);
      assert.equal(await queue.end({ ...claim, attempt: 2 }, { status: 'CANCELED' }), false);
      assert.equal((await queue.job(jobId(1)))?.ranks[0]?.isDone, undefined);
      assert.equal(await queue.end(claim, { status: 'CANCELED' }), false);
      const job = await queue.job(jobId(1));
      assert.deepEqual([job?.ranks[0]?.isDone, job?.status, job?.reason], [true, 'CANCELED', 'by ada']);
    });

    test('a worker can say itself that its job was cancelled', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1, { retries: 5 }), jobSpec(2, { after: [jobId(1)] })]);
      assert.equal(await queue.end(await running(queue), { status: 'CANCELED', reason: 'SIGTERM' }), true);
      assert.deepEqual([await statusOf(queue, 1), await statusOf(queue, 2)], ['CANCELED', 'CANCELED']);
    });

    test('gives a job to others when its worker is silent or dead, and fences the old one', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1, { workers: 2 }), jobSpec(2)]);
      const [old, other] = [await claimed(queue), await claimed(queue, BOB)];
      await queue.begin(old, { host: 'one', outputDir: '' });
      const second = await running(queue, BOB);
      const lose = (isAlive: (worker: Worker, jobId: string) => boolean | undefined) =>
        queue.requeueLost({ executors: ['process'], afterMs: 60_000, limit: 1, isAlive });
      time += 60_000;
      assert.deepEqual(await lose(() => undefined), []);
      const asked: string[] = [];
      await lose((worker, id) => void asked.push(`${worker.host} ${id}`));
      assert.ok(asked.includes(`${BOB.host} ${jobId(2)}`), asked.join());
      const elsewhere = { executors: ['slurm'], afterMs: 0, limit: 1, isAlive: () => false };
      assert.deepEqual(await queue.requeueLost(elsewhere), []);
      time += 1;
      assert.deepEqual(await lose(() => true), []);
      await queue.heartbeat([other, second]);
      assert.deepEqual(await lose(() => undefined), [
        { id: jobId(1), attempt: 1, rank: 0, becomes: 'CREATED' },
      ]);
      await refused(queue, old);
      await refused(queue, other);
      const next = await running(queue, BOB);
      assert.deepEqual([next.jobId, next.attempt, next.rank, next.job.lost], [jobId(1), 2, 0, 1]);
      assert.deepEqual(await lose(({ pid }) => pid !== BOB.pid), [
        { id: jobId(1), attempt: 2, rank: 0, becomes: 'FAILED' },
        { id: jobId(2), attempt: 1, rank: 0, becomes: 'CREATED' },
      ]);
      assert.match((await queue.job(jobId(1)))?.reason ?? '', /rank 0 on two \(process 22\)/);
    });

    test('gives what runs on a cluster over to another process', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1, { workers: 2 })]);
      const old = await queue.claim({ worker: ANN, executors: ['process'], isWhole: true });
      assert.ok(old);
      await queue.begin(old, { host: 'one', outputDir: '' });
      assert.equal(await queue.takeOver({ ...old, worker: BOB }, ANN), false);
      assert.equal(await queue.takeOver(old, BOB), true);
      assert.equal(await queue.takeOver(old, { ...BOB, pid: 3 }), false);
      await refused(queue, old);
      const next = { ...old, worker: BOB };
      assert.deepEqual(await queue.heartbeat([next, { ...next, rank: 1 }]), [true, true]);
      assert.equal(await queue.begin(next, { host: 'two', outputDir: '' }), true);
      assert.equal(await queue.end(next, { status: 'FINISHED' }), true);
    });

    test('finds jobs by what they are, newest first, page by page', async () => {
      const queue = await fresh();
      const change = (n: number) => ({ user: n % 2 ? 'ada' : 'bob', sweep: n < 3 ? 's' : 't' });
      await queue.submit(
        [1, 2, 3, 4, 5].map((n) => jobSpec(n, { ...change(n), project: n === 5 ? 'x' : 'y' })),
      );
      const ids = async (query: object) =>
        (await queue.list({ limit: 10, ...query })).map((it) => Number(`0x${it.id}`));
      assert.deepEqual(await ids({}), [5, 4, 3, 2, 1]);
      assert.deepEqual(await ids({ limit: 2, before: jobId(4) }), [3, 2]);
      assert.deepEqual(await ids({ limit: 0 }), []);
      assert.deepEqual(await ids({ user: 'ada', project: 'y' }), [3, 1]);
      assert.deepEqual(await ids({ sweep: 's', ids: [jobId(2), jobId(5), '\0'] }), [2]);
      assert.deepEqual(await ids({ before: jobId(77) }), []);
      assert.equal(await queue.count({ user: 'ada' }), 3);
      assert.equal(await queue.count({ search: parseWhere('lr > 0.3') }), 2);
      assert.deepEqual(await ids({ search: parseWhere('lr < 0.4'), limit: 2 }), [3, 2]);
      assert.deepEqual(await ids({ search: searchFor('job-[24]') }), [4, 2]);
      assert.deepEqual(await queue.idsWith('0004', 9), [jobId(4)]);
      assert.deepEqual(await queue.idsWith('000', 2), [jobId(5), jobId(4)]);
      assert.deepEqual(await queue.idsWith('%', 2), []);
    });

    test('a search finds what the rule of matching says, over all jobs', async () => {
      const queue = await fresh();
      const models = ['a', "b'", '2', 2, null, true];
      const specs = Array.from({ length: 60 }, (_, n) => {
        const model = models[n % 6] ?? null;
        return jobSpec(n, {
          user: n % 4 ? 'ada' : 'bob',
          priority: n % 5,
          overrides: { n, model, deep: { 'x.y': n % 7 } },
        });
      });
      await queue.submit(specs);
      for (const n of [3, 30]) await queue.annotate(jobId(n), 'star', true);
      await queue.end(await running(queue), { status: 'FAILED', exception: 'E' });
      const jobs = await queue.list({ limit: 100 });
      for (const text of [
        ...[
          'n > 50',
          'model == 2',
          "model == '2'",
          "model in ['a', null]",
          'not (deep.x.y == 3)',
          'priority + n % 2 == 4',
        ],
        ...[
          "user == 'bob' and n < 20",
          'starred',
          "status == 'FAILED'",
          "exception ~ 'E'",
          'not starred and n > 55',
        ],
        ...[
          'duration >= 0',
          "name.endsWith('7')",
          "job ~ '-5' or workers > 1",
          'missing == 1',
          'created > 0 and attempt == 1',
        ],
      ]) {
        const search = parseWhere(text);
        const wanted = jobs.filter((job) => matches(search, job)).map((job) => job.id);
        const found = (await queue.list({ limit: 100, search })).map((job) => job.id);
        assert.deepEqual(found, wanted, text);
        assert.equal(await queue.count({ search }), wanted.length);
      }
    });

    test('a search finds what the rule of matching says, whatever it asks for', async () => {
      const queue = await fresh();
      await queue.submit(SEARCHED_JOBS);
      for (let n = 0; n < 12; n++) {
        const claim = await running(queue, { ...ANN, host: `node-${n % 3}` });
        time += 1500;
        await queue.report(claim, newsOf(n));
        if (n % 4 === 1) await queue.annotate(claim.jobId, 'star', n % 8 === 1);
        if (n % 4 === 2) await queue.annotate(claim.jobId, 'review', { by: 'ann', 'a.b': [n] });
        if (n % 3 === 0) await queue.end(claim, { status: 'FAILED', exception: `ValueError('x ${n}')` });
        if (n % 3 === 1) await queue.end(claim, { status: 'FINISHED' });
      }
      const jobs = await queue.list({ limit: 100 });
      const wrong: string[] = [];
      for (const text of [...SEARCHES, ...randomSearches(RANDOM_SEARCHES, seededRandom(7))]) {
        const search = parseWhere(text);
        const wanted = jobs.filter((job) => matches(search, job)).length;
        const found = await queue.list({ limit: 100, search });
        const strays = found.filter((job) => !matches(search, job)).length;
        if (found.length !== wanted || strays > 0) wrong.push(`${text}: ${found.length} for ${wanted}`);
      }
      assert.deepEqual(wrong, []);
    });

    test('reports RUNNING from UNRESPONSIVE by the last heartbeat', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1), jobSpec(2), jobSpec(3)]);
      const [one, two] = [await running(queue), await running(queue)];
      const found = async (status: StatusFilter) => {
        const jobs = await queue.list({ limit: 9, status });
        assert.equal(await queue.count({ status }), jobs.length);
        return jobs.map(({ id: found }) => Number(`0x${found}`));
      };
      assert.deepEqual(await found('RUNNING'), [2, 1]);
      time += 20_000;
      assert.deepEqual(await found('RUNNING'), [2, 1]);
      time += 1;
      await queue.heartbeat([two]);
      assert.deepEqual([await found('RUNNING'), await found('UNRESPONSIVE')], [[2], [1]]);
      assert.deepEqual([await found('QUEUE'), await found('CREATED')], [[3, 2], [3]]);
      await queue.end(one, { status: 'FAILED' });
      assert.deepEqual([await found('FAILED'), await found('UNRESPONSIVE')], [[1], []]);
    });

    test('keeps annotations with dots in objects, and takes them away', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1)]);
      await queue.annotate(jobId(1), 'star', true);
      await queue.annotate(jobId(1), 'description', 'the (good) one');
      const job = await queue.annotate(jobId(1), 'a.b', { c: 1 });
      assert.deepEqual(job?.annotations, { star: true, description: 'the (good) one', a: { b: { c: 1 } } });
      assert.equal(await queue.count({ search: searchFor('good') }), 1);
      assert.deepEqual((await queue.annotate(jobId(1), 'a.b.c', undefined))?.annotations['a'], { b: {} });
      await queue.annotate(jobId(1), 'description', undefined);
      assert.equal(await queue.count({ search: searchFor('good') }), 0);
      assert.equal(await queue.annotate(jobId(9), 'star', true), undefined);
    });

    test('deletes jobs with what they said', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1), jobSpec(2)]);
      const claim = await running(queue);
      await queue.appendLogs(claim, [entry('x')]);
      assert.deepEqual(
        (await queue.delete([jobId(1), jobId(7)])).map(({ id: gone }) => gone),
        [jobId(1)],
      );
      assert.equal(await queue.job(jobId(1)), undefined);
      assert.deepEqual(await queue.logs(jobId(1), { limit: 9 }), { entries: [], next: '0.0', leftOut: 0 });
      await refused(queue, claim);
      assert.equal(await queue.count({}), 1);
    });

    test('gives logs by worker, type, tail and what came since', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1)]);
      const claim = await running(queue);
      const all = Array.from({ length: 10 }, (_, n) => entry(`m${n}\0`, n % 3, n % 2 ? 'error' : 'info'));
      await queue.appendLogs(claim, all.slice(0, 4));
      await queue.appendLogs(claim, all.slice(4));
      await queue.appendLogs(claim, []);
      const read = async (query: object) => {
        const page = await queue.logs(jobId(1), { limit: 100, ...query });
        return { said: page.entries.map(({ message }) => message.slice(0, -1)).join(' '), next: page.next };
      };
      assert.equal((await read({})).said, 'm0 m1 m2 m3 m4 m5 m6 m7 m8 m9');
      assert.equal((await read({ worker: 1 })).said, 'm1 m4 m7');
      assert.equal((await read({ type: 'error', tail: 2 })).said, 'm7 m9');
      assert.equal((await read({ tail: 6 })).said, 'm4 m5 m6 m7 m8 m9');
      const first = await read({ limit: 3 });
      const second = await read({ limit: 5, after: first.next });
      assert.deepEqual([first.said, second.said], ['m0 m1 m2', 'm3 m4 m5 m6 m7']);
      const rest = await read({ after: second.next });
      assert.equal(rest.said, 'm8 m9');
      assert.equal((await read({ after: rest.next })).said, '');
      await queue.appendLogs(claim, [entry('new.')]);
      assert.equal((await read({ after: rest.next })).said, 'new');
      assert.equal((await read({ after: 'nonsense' })).said.length, 33);
    });

    test('keeps the beginning and the end of what a job prints without end', async () => {
      const queue = await fresh();
      await queue.submit([jobSpec(1)]);
      const claim = await running(queue);
      const line = 'z'.repeat(200_000);
      const COUNT = 150;
      for (let n = 0; n < COUNT; n += 10) {
        await queue.appendLogs(
          claim,
          Array.from({ length: 10 }, (_, at) => entry(`${n + at} ${line}`)),
        );
      }
      const { entries, leftOut } = await queue.logs(jobId(1), { limit: COUNT });
      const numbers = entries.map(({ message }) => Number.parseInt(message, 10));
      assert.equal(entries.length + leftOut, COUNT);
      assert.ok(leftOut > 55 && leftOut < 75, `${leftOut}`);
      assert.deepEqual([numbers[0], numbers[39], numbers.at(-1)], [0, 39, COUNT - 1]);
    });

    test('stores a package once and lets it go when no job needs it', async () => {
      const queue = await fresh();
      const bytes = Buffer.alloc(2_500_000, 'package');
      const [kept, gone] = ['aa'.repeat(32), 'bb'.repeat(32)];
      for (const hash of [kept, gone]) await queue.savePackage(hash, pieces(bytes));
      await queue.savePackage(kept, pieces(bytes));
      assert.deepEqual(
        [await queue.hasPackage(kept), await queue.hasPackage('cc'.repeat(32))],
        [true, false],
      );
      const read = await queue.package(kept);
      assert.ok(read);
      assert.ok(Buffer.concat(await all(read)).equals(bytes));
      await queue.submit([jobSpec(1, { code: { type: 'package', hash: kept, name: 'x' } })]);
      assert.deepEqual(await queue.collectPackages(), []);
      time += 3_600_001;
      assert.deepEqual(await queue.collectPackages(), [gone]);
      assert.equal(await queue.package(gone), undefined);
      await rejects(queue.savePackage('../../etc/passwd', pieces(bytes)), 'JOBS_BAD_HASH');
      await assert.rejects(queue.savePackage('dd'.repeat(32), broken()), /cut/);
      assert.equal(await queue.hasPackage('dd'.repeat(32)), false);
    });

    test('two processes claim 300 jobs, each once and in order', async () => {
      const place = await newPlace();
      const queue = await open(place, {});
      const COUNT = 300;
      await queue.submit(Array.from({ length: COUNT }, (_, n) => jobSpec(n, { priority: n % 3 })));
      const seen = await Promise.all(
        [1, 2].map(async () => {
          const { child, lines } = start(place);
          const ids: string[] = [];
          lines.on('line', (line) => ids.push(line));
          const [code] = await once(child, 'close');
          assert.equal(code, 0);
          return ids;
        }),
      );
      const turn = (line: string) => (2 - (Number(`0x${line}`) % 3)) * COUNT + Number(`0x${line}`);
      for (const ids of seen)
        assert.deepEqual(
          ids,
          [...ids].sort((a, b) => turn(a) - turn(b)),
        );
      assert.deepEqual(
        seen.flat().sort(),
        Array.from({ length: COUNT }, (_, n) => jobId(n)),
      );
      assert.equal(await queue.count({ status: 'FINISHED' }), COUNT);
    });

    test('what a killed process had claimed is known and given to another', async () => {
      const place = await newPlace();
      const queue = await open(place, {});
      await queue.submit([jobSpec(1)]);
      const { child, lines } = start(place, 'hold');
      const [line] = (await once(lines, 'line')) as [string];
      assert.equal(line, jobId(1));
      child.kill('SIGKILL');
      await once(child, 'close');
      const job = await queue.job(jobId(1));
      assert.deepEqual([job?.status, job?.ranks[0]?.pid], ['SCHEDULED', child.pid]);
      const lost = await queue.requeueLost({
        executors: ['process'],
        afterMs: 1e9,
        limit: 3,
        isAlive: ({ pid }) => pid !== child.pid,
      });
      assert.deepEqual(lost, [{ id: jobId(1), attempt: 1, rank: 0, becomes: 'CREATED' }]);
      assert.equal((await running(queue)).attempt, 2);
    });

    async function refused(queue: JobQueue, claim: ClaimKey): Promise<void> {
      assert.deepEqual(await queue.heartbeat([claim]), [false]);
      assert.equal(await queue.report(claim, { info: { late: true } }), false);
      assert.equal(await queue.appendLogs(claim, [entry('late')]), false);
      assert.equal(await queue.arrive(claim, 'b'), undefined);
      assert.equal(await queue.begin(claim, { host: 'late', outputDir: '' }), false);
      assert.equal(await queue.end(claim, { status: 'FINISHED' }), false);
      assert.equal((await queue.job(claim.jobId))?.state['late'], undefined);
    }
  });
}

function entry(message: string, worker = 0, type: JobLogEntry['type'] = 'info'): JobLogEntry {
  return { worker, type, message, time: START };
}

async function* pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700_001) yield bytes.subarray(at, at + 700_001);
}

async function all(read: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const piece of read) found.push(piece);
  return found;
}

function searchFor(text: string): JobSearch {
  return parseSearch(text) ?? assert.fail();
}

async function* broken(): AsyncIterable<Uint8Array> {
  yield new Uint8Array(10);
  throw new Error('cut');
}

async function rejects(work: Promise<unknown>, code: string, message = /./): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof NightmarkError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}
