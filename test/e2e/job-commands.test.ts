import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import openQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import type { Job, JobLogEntry, JobSpec } from '../../src/jobs/core/job.ts';
import type { Claim, JobEnd, JobQueue, JobReport } from '../../src/jobs/core/job-queue.ts';
import { runBinary, startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { jobId, jobSpec } from '../support/job-specs.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-job-commands-'));
after(() => rmSync(root, { recursive: true, force: true }));
const WORKER = { host: 'node-1', pid: 4711, incarnation: 'x' };
const NOW = Date.now();
let homes = 0;

function makeHome() {
  const home = join(root, `home-${homes++}`);
  mkdirSync(join(home, '.nightmark'), { recursive: true });
  const job = (name: string, ...words: string[]) =>
    runInProcess(['job', name, '--home', home, ...words], { env: { USER: 'ada', NO_COLOR: '1' } });
  const withQueue = async <T>(use: (queue: JobQueue) => Promise<T>): Promise<T> => {
    const queue = await openQueue({ place: join(home, '.nightmark/jobs.db') });
    try {
      return await use(queue);
    } finally {
      await queue.close();
    }
  };
  return { home, job, withQueue };
}

type Home = ReturnType<typeof makeHome>;

interface Life {
  readonly news?: JobReport;
  readonly logs?: readonly JobLogEntry[];
  readonly end?: JobEnd;
}

/** Puts a job into the queue, and lets a worker say of it what the test needs. */
async function live(queue: JobQueue, spec: JobSpec, life: Life = {}): Promise<Claim> {
  await queue.submit([spec]);
  const claim =
    (await queue.claim({ worker: WORKER, ids: [spec.id], executors: ['process'] })) ?? assert.fail();
  await queue.arrive(claim, 'jobstart');
  await queue.begin(claim, {
    host: 'node-1',
    outputDir: `vision/baseline/${spec.name}_${spec.id.slice(-6)}`,
  });
  if (life.news) await queue.report(claim, life.news);
  if (life.logs) await queue.appendLogs(claim, life.logs);
  if (life.end) await queue.end(claim, life.end);
  return claim;
}

const loss = (last: number, min: number) => ({
  id: 'm1',
  measurement: 'loss',
  tags: { split: 'train' },
  fields: { value: { count: 3, last, min, max: 2 } },
});

const FINISHED: JobEnd = { status: 'FINISHED', exit: { type: 'code', code: 0 } };
const line = (message: string, time: number, more: Partial<JobLogEntry> = {}): JobLogEntry => ({
  ...{ worker: 0, type: 'info', message, time },
  ...more,
});

let shared: Home;
before(async () => {
  shared = makeHome();
  await shared.withQueue(async (queue) => {
    await live(
      queue,
      jobSpec(1, { name: 'resnet', overrides: { lr: 0.1, opt: { name: 'sgd', steps: [1, 2] }, seed: 1 } }),
      {
        news: {
          metrics: [loss(0.5, 0.4)],
          timings: [
            { event: 'forward', rank: 0, mean: 0.5, std: 0.1, instances: 10 },
            { event: 'forward', rank: 1, mean: 1, std: 0.1, instances: 30 },
            { event: 'load', rank: 0, mean: 3, std: 0, instances: 1 },
          ],
          environment: { machine: { cpu: 'Fast', cores: 8 } },
        },
        logs: [
          line('second\u001b[31m red\u001b[0m', 2_000),
          line('first', 1_000, { worker: 1 }),
          line('oops \u001b[2J', 3_000, { type: 'error' }),
        ],
        end: FINISHED,
      },
    );
    await live(
      queue,
      jobSpec(2, {
        name: 'resnet-b',
        env: { API_TOKEN: 'hush', MODE: 'x' },
        overrides: { lr: 0.2, opt: { name: 'sgd', steps: [1, 2] } },
      }),
      {
        news: { metrics: [loss(0.25, 0.25)], environment: { machine: { cpu: 'Slow', cores: 8 } } },
        end: {
          status: 'FAILED',
          exit: { type: 'code', code: 1 },
          exception: "ValueError('x')",
          traceback: 'Traceback:\n  line 7\nValueError: x',
        },
      },
    );
    await live(queue, jobSpec(3, { name: 'running' }), { news: { info: { 'state.progress': 0.42 } } });
    await queue.submit([jobSpec(4, { name: 'evil\u009b31m\u202e', user: 'eve', project: 'other' })]);
    await queue.annotate(jobId(1), 'star', true);
    await queue.annotate(jobId(1), 'description', 'the good one');
  });
});

const rowsOf = (text: string) => text.trimEnd().split('\n').slice(1);

test('lists the newest first, with progress and marks, and no control character of a name', async () => {
  const { code, stdout } = await shared.job('list');
  assert.equal(code, 0);
  const rows = rowsOf(stdout);
  assert.deepEqual(
    rows.map((row) => row.slice(0, 6)),
    [4, 3, 2, 1].map((n) => jobId(n).slice(-6)),
  );
  assert.match(rows[0] ?? '', /eve +other\/baseline\/evil\\u009b31m\\u202e +CREATED/);
  assert.match(rows[1] ?? '', /vision\/baseline\/running +RUNNING +###\.\.\.\.\. 42%.* node-1/);
  assert.match(rows[3] ?? '', /FINISHED .*★ note$/);
  assert.doesNotMatch(stdout, /(?!\n)\p{Cc}/u);
});

test('one selector for all: ids, names, fields, statuses and expressions, limited after they matched', async () => {
  const found = async (...words: string[]) =>
    rowsOf((await shared.job('list', ...words)).stdout).map((row) => Number(row.slice(0, 6)));
  assert.deepEqual(await found('--name', '^resnet'), [2, 1]);
  assert.deepEqual(await found('--name', '^resnet', '--where', 'lr > 0.15'), [2]);
  assert.deepEqual(await found('--where', "metric.loss.min < 0.3 or opt.name == 'adam'"), [2]);
  assert.deepEqual(await found('--user', 'eve', '--project', 'other'), [4]);
  assert.deepEqual(await found('--status', 'queue'), [4, 3]);
  assert.deepEqual(await found('--search', 'good one'), [1]);
  assert.deepEqual(await found('--name', 'resnet$', '--limit', '1'), [1]);
  assert.deepEqual(await found('000003', '000001'), [3, 1]);
  assert.equal(
    (await shared.job('list', '--limit', '2')).stderr,
    'These are 2 of 4 jobs: --limit 0 shows all.\n',
  );
  const none = await shared.job('list', '--where', 'lr > 7');
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'No job matches.\n']);
  const wrong = await shared.job('list', '--status', 'RUNING');
  assert.match(wrong.stderr, /Invalid status: "RUNING".*\n.*Did you mean RUNNING/);
  assert.match((await shared.job('list', '--where', 'lr >')).stderr, /\[SEARCH_/);
  assert.match((await shared.job('list', '--watch')).stderr, /JOBS_NO_TERMINAL/);
});

test('lists as JSON without secrets, and as the documents of the old monitor', async () => {
  const jobs = JSON.parse((await shared.job('list', '--json', '--limit', '0')).stdout) as (Job & {
    shownStatus: string;
  })[];
  assert.deepEqual(jobs.map(({ name, shownStatus }) => [name, shownStatus]).slice(1), [
    ['running', 'RUNNING'],
    ['resnet-b', 'FAILED'],
    ['resnet', 'FINISHED'],
  ]);
  assert.deepEqual(jobs[2]?.env, { API_TOKEN: '***', MODE: 'x' });
  assert.deepEqual(JSON.parse((await shared.job('list', '--json', '--user', 'nobody')).stdout), []);
  const { stdout } = await shared.job('list', '--yaml', '000001');
  assert.match(stdout, /^---\n_id: "?0{23}1"?\nuser: ada\n/);
  assert.match(stdout, /\nn_workers: 1\n/);
  assert.match(stdout, /\nconfig:\n {2}lr: 0\.1\n/);
});

test('where nothing was submitted, looking says so and leaves nothing behind', async () => {
  const home = join(root, 'empty');
  mkdirSync(home);
  const list = await runBinary(['job', 'list', '--home', home, '--json']);
  assert.deepEqual([list.code, list.stdout], [0, '[]\n']);
  assert.match(list.stderr, /There are no jobs in .*empty/);
  const show = await runBinary(['job', 'show', 'abc', '--home', home]);
  assert.equal(show.code, 1);
  assert.match(show.stderr, /\[JOBS_NO_QUEUE\]/);
  assert.deepEqual(readdirSync(home), []);
  const { job, withQueue } = makeHome();
  await withQueue(async () => {});
  assert.equal((await job('list')).stderr, 'There are no jobs.\n');
});

test('shows one job: aligned, in its order, with metrics, exception and how to run it again', async () => {
  const { stdout } = await shared.job('show', '000002');
  const keys = stdout.split('\n').flatMap((text) => /^(\w[\w ]*):/.exec(text)?.[1] ?? []);
  assert.deepEqual(keys.slice(0, 7), ['user', 'project', 'experiment', 'job', 'id', 'status', 'host']);
  assert.deepEqual(keys.slice(-4), ['metrics', 'exception', 'workers', 'to reproduce it']);
  assert.match(stdout, /\nstatus: +FAILED\n/);
  assert.match(stdout, /\nvariables: +API_TOKEN=\*\*\* MODE=x\n/);
  assert.match(stdout, /loss \{split=train\} +value +0\.25 +0\.25 +2 +3\n/);
  assert.match(stdout, /exception:\n {2}ValueError\('x'\)\n {2}Traceback:\n/);
  assert.match(stdout, /nightmark job rerun 000002\n/);
  assert.doesNotMatch(stdout, /hush|machine\.cpu/);
  assert.match((await shared.job('show', '000001', '-c')).stdout, /\n {2}opt\.steps: +\[1,2\]\n/);
});

test('an id that is none names the nearest, and a part of several names them', async () => {
  const none = await shared.job('show', '000009');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /There is no job "000009"\.\n.*nearest ids are 00000\d, 00000\d, 00000\d/);
  const many = await shared.job('show', '0000');
  assert.match(many.stderr, /part of several ids: 0{23}4, 0{23}3/);
  assert.match((await shared.job('logs', '\u001b[2J')).stderr, /no job "\u241b\[2J"/);
});

test('six digits mean the job that ends with them, also when others have them elsewhere', async () => {
  const { job, withQueue } = makeHome();
  const inside = Array.from({ length: 9 }, (_, n) => jobSpec(n + 20, { id: `${n}abc123${'0'.repeat(17)}` }));
  await withQueue((queue) =>
    queue.submit([jobSpec(1, { id: `${'f'.repeat(18)}abc123`, name: 'meant' }), ...inside]),
  );
  assert.match((await job('show', 'abc123')).stdout, /\njob: +meant\n/);
  assert.match((await job('show', 'bc12')).stderr, /part of several ids: 8abc1230+, .* \.\.\.\./);
});

test('prints logs of all workers in the order of time, marks stderr, filters and ends', async () => {
  const messages = async (...words: string[]) =>
    (await shared.job('logs', '000001', ...words)).stdout
      .trimEnd()
      .split('\n')
      .map((text) => text.replace(/^(\d\d) \S+ \S+ /, '$1 '));
  assert.deepEqual(await messages(), ['01 first', '00 second red', '00 E oops \u241b[2J']);
  assert.deepEqual(await messages('-w', '1'), ['01 first']);
  assert.deepEqual(await messages('-t', '1'), ['00 E oops \u241b[2J']);
  assert.deepEqual(await messages('--type', 'error'), ['00 E oops \u241b[2J']);
  const json = (await shared.job('logs', '000001', '--json', '-w', '1')).stdout;
  assert.deepEqual(JSON.parse(json), {
    id: jobId(1),
    worker: 1,
    type: 'info',
    message: 'first',
    time: 1_000,
  });
  const both = await shared.job('logs', '000001', '000002');
  assert.match(both.stdout, /^000001 01 /);
  const followed = await shared.job('logs', '-f', '000001');
  assert.equal(followed.stdout.split('\n').length, 4);
  assert.equal(followed.stderr, '000001 FINISHED\n');
});

test('follows a job from the queue over a lost worker to its end', async () => {
  const { home, withQueue } = makeHome();
  await withQueue(async (queue) => {
    await queue.submit([jobSpec(1)]);
    const child = startBinary(['job', 'logs', '-f', '000001', '--home', home]);
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk) => (stdout += chunk));
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    const ended = new Promise((resolve) => child.on('close', resolve));
    const until = async (isTrue: () => boolean) => {
      while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await until(() => stderr.includes('waits for a worker'));
    const start = async (text: string) => {
      const claim = (await queue.claim({ worker: WORKER, executors: ['process'] })) ?? assert.fail();
      await queue.arrive(claim, 'jobstart');
      await queue.begin(claim, { host: 'node-1', outputDir: 'x' });
      await queue.appendLogs(claim, [line(text, NOW)]);
      await until(() => stdout.includes(text));
      return claim;
    };
    await start('of the first attempt');
    await queue.requeueLost({ executors: ['process'], afterMs: 1e9, limit: 3, isAlive: () => false });
    await until(() => stderr.includes('is tried again (attempt 2'));
    await queue.end(await start('of the second'), FINISHED);
    assert.equal(await ended, 0);
    assert.equal(stdout.split('\n').length, 3);
    assert.match(stderr, /000001 FINISHED\n$/);
  });
});

test('reports workers and timings', async () => {
  const workers = await shared.job('workers', '000003');
  assert.match(workers.stdout, /^000003: 1 of 1 registered\n00 {2}node-1 @ 4711 +heartbeat \d+s ago\n$/);
  const timings = await shared.job('timings', '000001');
  assert.deepEqual(
    timings.stdout
      .split('\n')
      .map((text) => text.split(/ {2,}/))
      .slice(1, 3),
    [
      ['forward', '875 ms', '40', '35.0 s'],
      ['load', '3.00 s', '1', '3.00 s'],
    ],
  );
  assert.match((await shared.job('timings', '000001', '-w', '1')).stdout, /forward +1\.00 s +30 +30\.0 s/);
  assert.equal((await shared.job('timings', '000002')).stderr, 'It reported no timings.\n');
});

test('marks jobs with stars, bugs and notes, and takes the marks away', async () => {
  const { job, withQueue } = makeHome();
  await withQueue((queue) => queue.submit([jobSpec(1), jobSpec(2), jobSpec(3, { experiment: 'e' })]));
  const annotations = () =>
    withQueue(async (queue) => (await queue.list({ limit: 9 })).map((one) => one.annotations).reverse());
  assert.equal((await job('star', '--experiment', 'baseline')).stdout.split('\n').length, 3);
  await job('bug', '000003');
  await job('note', '000002', 'too\u001b high');
  assert.deepEqual(await annotations(), [
    { star: true },
    { star: true, description: 'too\u001b high' },
    { bug: true },
  ]);
  await job('unstar', '000001');
  await job('bug', '--remove', '000003');
  await job('note', '000002', '');
  assert.deepEqual(await annotations(), [{}, { star: true }, {}]);
  const none = await job('star');
  assert.deepEqual([none.code, /JOBS_NONE_CHOSEN/.test(none.stderr)], [1, true]);
});

test('diff shows what differs side by side, counts what does not, and hides secrets', async () => {
  const { stdout } = await shared.job('diff', '000001', '000002');
  assert.match(stdout, /^A {2}000001 vision\/baseline\/resnet FINISHED\nB {2}000002 .*resnet-b FAILED\n/);
  assert.match(
    stdout,
    /configuration \(2 equal keys hidden\)\n +A +B\n {2}lr +0\.1 +0\.2 +\+100 %\n {2}seed +1 +\(missing\)\n/,
  );
  assert.match(stdout, /machine\.cpu +Fast +Slow\n/);
  assert.match(stdout, /variables\.API_TOKEN +\(missing\) +\*\*\*\n/);
  assert.match(stdout, /loss \{split=train\} last +0\.5 +0\.25 +-50\.0 %\n/);
  assert.doesNotMatch(stdout, /hush|opt\.name|machine\.cores/);
  assert.match((await shared.job('diff', '000001', '000002', '--all')).stdout, /opt\.name +sgd +sgd\n/);
  const many = JSON.parse((await shared.job('diff', '000001', '000002', '000003', '--json')).stdout);
  assert.deepEqual(
    many.sections[0].rows.find(({ key }: { key: string }) => key === 'seed'),
    { key: 'seed', isEqual: false, values: [1, null, null], missing: [1, 2] },
  );
  assert.match((await shared.job('diff', '000001')).stderr, /JOBS_TO_COMPARE/);
});

test('diff compares the code file by file, rerun repeats it, and delete collects nothing that is needed', async () => {
  const { home, job, withQueue } = makeHome();
  const code = join(home, 'code');
  mkdirSync(code);
  const submit = async (...words: string[]) =>
    (await job('submit', '--code', code, '--set', 'lr=0.1', ...words, '--', 'true')).stdout.trim();
  writeFileSync(join(code, 'train.py'), 'import x\nlr = 1\n');
  writeFileSync(join(code, 'old.txt'), 'o');
  const first = await submit('--name', 'first');
  rmSync(join(code, 'old.txt'));
  writeFileSync(join(code, 'train.py'), 'import x\nlr = 2\n');
  writeFileSync(join(code, 'data.bin'), Buffer.from([0, 1, 2]));
  const second = await submit('--name', 'second', '--priority', '3');
  const { stdout } = await job('diff', first, second);
  assert.match(stdout, /files: 1 changed, 1 added, 1 removed, 0 equal\n {2}\+ data\.bin\n {2}- old\.txt\n/);
  assert.match(stdout, /~ train\.py \(\+1 -1\)\n +@@ -1,2 \+1,2 @@\n +import x\n +-lr = 1\n +\+lr = 2\n/);
  assert.deepEqual(readdirSync(join(home, '.nightmark/staging')), []);
  const again = (
    await job('rerun', second, '--set', 'lr=0.5', '--set', 'opt.name=adam', '--as', 'third')
  ).stdout.trim();
  await withQueue(async (queue) => {
    const [old, repeated] = [await queue.job(second), await queue.job(again)];
    assert.deepEqual(
      [repeated?.rerunOf, repeated?.name, repeated?.overrides, repeated?.priority, repeated?.code],
      [second, 'third', { lr: 0.5, opt: { name: 'adam' } }, 3, old?.code],
    );
  });
  assert.equal((await job('delete', second, '--yes')).stdout, 'Deleted 1 job.\n');
  await withQueue(async (queue) => {
    const needed = (await queue.job(again))?.code;
    assert.equal(needed?.type === 'package' && (await queue.hasPackage(needed.hash)), true);
  });
});

test('kill cancels what waits and what runs, and waits until the worker has let go', async () => {
  const { job, withQueue } = makeHome();
  await withQueue(async (queue) => {
    const claim = await live(queue, jobSpec(1));
    await live(queue, jobSpec(2), { end: FINISHED });
    await queue.submit([jobSpec(3)]);
    const unasked = await job('kill', '--status', 'QUEUE');
    assert.deepEqual([unasked.code, /000003 vision.*CREATED/.test(unasked.stderr)], [1, true]);
    assert.match(unasked.stderr, /JOBS_NOT_CONFIRMED/);
    const killing = job('kill', '--experiment', 'baseline', '--yes');
    while ((await queue.heartbeat([claim]))[0]) await new Promise((resolve) => setTimeout(resolve, 20));
    await queue.end(claim, { status: 'CANCELED' });
    const { code, stdout } = await killing;
    assert.equal(code, 0);
    assert.match(
      stdout,
      /000003 .* is cancelled; it had not begun\n000002 .* had ended before: FINISHED\n000001 .* nothing of it runs/,
    );
    assert.equal((await queue.job(jobId(1)))?.reason, 'Cancelled by ada.');
    await live(queue, jobSpec(4));
    const { stdout: json } = await job('kill', '000004', '--yes', '--no-wait', '--json');
    assert.deepEqual(JSON.parse(json), [{ id: jobId(4), was: 'RUNNING', became: 'stopping' }]);
  });
});

test('delete takes the folder, the logs and the metrics of a job, and those of no other', async () => {
  const { home, job, withQueue } = makeHome();
  const code = join(home, 'code');
  mkdirSync(code);
  const metric = `echo '{"type":"metric","measurement":"loss","fields":{"value":0.5}}' >> "$NIGHTMARK_JOB_EVENTS"; echo hi`;
  const ids: string[] = [];
  for (const name of ['one', 'two'])
    ids.push((await job('submit', '--code', code, '--name', name, '--', 'sh', '-c', metric)).stdout.trim());
  assert.equal((await job('work', '--once')).code, 0);
  const [one = '', two = ''] = ids;
  const folder = async (id: string) =>
    join(home, 'results/jobs', (await withQueue((queue) => queue.job(id)))?.outputDir ?? assert.fail());
  const [gone, stays] = [await folder(one), await folder(two)];
  assert.match(readFileSync(join(gone, 'output.txt'), 'utf8'), /hi/);
  assert.deepEqual(await seriesOf(home), [one, two].sort());
  const { code: exit, stdout } = await job('delete', one, '--yes');
  assert.deepEqual([exit, stdout], [0, 'Deleted 1 job.\n']);
  assert.deepEqual([existsSync(gone), existsSync(stays)], [false, true]);
  assert.deepEqual(await seriesOf(home), [two]);
  await withQueue(async (queue) => {
    assert.equal(await queue.job(one), undefined);
    assert.deepEqual((await queue.logs(one, { limit: 9 })).entries, []);
    assert.equal((await queue.logs(two, { limit: 9 })).entries.length, 1);
  });
});

test('delete asks the server of the home for the metrics while one runs', async () => {
  const { home, job } = makeHome();
  const metric = `echo '{"type":"metric","measurement":"loss","fields":{"value":0.5}}' >> "$NIGHTMARK_JOB_EVENTS"`;
  const submit = async (name: string) =>
    (await job('submit', '--code', 'none', '--name', name, '--', 'sh', '-c', metric)).stdout.trim();
  const [one, two] = [await submit('one'), await submit('two')];
  const server = startBinary(['serve', home, '--port', '0', '--udp-port', '0']);
  try {
    const note = join(home, '.nightmark/serve.json');
    while (!existsSync(note)) await new Promise((resolve) => setTimeout(resolve, 20));
    await job('work', '--once');
    const { url } = JSON.parse(readFileSync(note, 'utf8')) as { url: string };
    const series = async () => {
      const answer = await fetch(new URL('query?db=jobs&q=SHOW+SERIES', url));
      return [...(await answer.text()).matchAll(/job_id=(\w+)/g)].map(([, id]) => id).sort();
    };
    assert.deepEqual(await series(), [one, two].sort());
    assert.equal((await job('delete', one, '--yes')).code, 0);
    assert.deepEqual(await series(), [two]);
  } finally {
    server.kill();
    await once(server, 'close');
  }
});

test('delete never leaves the folder of results, whatever the queue or a link says', async () => {
  const { home, job, withQueue } = makeHome();
  const precious = join(root, 'precious');
  mkdirSync(precious);
  writeFileSync(join(precious, 'file'), 'x');
  mkdirSync(join(home, 'results/jobs'), { recursive: true });
  symlinkSync(root, join(home, 'results/jobs/link'));
  await withQueue(async (queue) => {
    for (const [n, outputDir] of [
      [1, '../../../precious'],
      [2, 'link/precious'],
      [3, '.'],
      [4, precious],
    ] as const) {
      await queue.submit([jobSpec(n)]);
      const claim =
        (await queue.claim({ worker: WORKER, ids: [jobId(n)], executors: ['process'] })) ?? assert.fail();
      await queue.begin(claim, { host: 'h', outputDir });
      await queue.end(claim, FINISHED);
    }
  });
  for (const n of [1, 2, 3, 4]) {
    const { code, stderr } = await job('delete', jobId(n), '--yes');
    assert.deepEqual([code, /JOBS_ESCAPES/.test(stderr)], [1, true], stderr);
  }
  assert.equal(readFileSync(join(precious, 'file'), 'utf8'), 'x');
  assert.equal(await withQueue((queue) => queue.count({})), 4);
});

/** Ids of jobs that have points in the store of a home. */
async function seriesOf(home: string): Promise<readonly string[]> {
  const { PointEngine } = await import('../../src/metrics/app/point-engine.ts');
  const { default: openStorage } = await import('../../src/metrics/adapters/storages/sqlite/sqlite.ts');
  const { default: clock } = await import('../../src/platform/adapters/system-clock.ts');
  const engine = await PointEngine.open(await openStorage(join(home, '.nightmark/points')), { clock });
  try {
    const tags = engine
      .columns('jobs')
      .map((column) => JSON.stringify(column).match(/[0-9a-f]{24}/)?.[0] ?? '');
    return [...new Set(tags)].sort();
  } finally {
    await engine.close();
  }
}
