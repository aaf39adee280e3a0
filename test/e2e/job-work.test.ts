import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import openQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { runBinary, startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-jobs-'));
after(() => rmSync(root, { recursive: true, force: true }));
let homes = 0;

function makeHome(files: Readonly<Record<string, string>> = { 'run.sh': 'echo hello' }) {
  const home = join(root, `home-${homes++}`);
  const code = join(home, 'code');
  mkdirSync(code, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(code, name, '..'), { recursive: true });
    writeFileSync(join(code, name), text);
  }
  const submit = async (...words: string[]) => {
    const ran = await runInProcess(['job', 'submit', '--home', home, '--code', code, ...words]);
    assert.equal(ran.code, 0, ran.stderr);
    return ran.stdout.trim().split('\n');
  };
  const work = (...words: string[]) => runBinary(['job', 'work', '--home', home, '--once', ...words]);
  const queue = () => openQueue({ place: join(home, '.nightmark/jobs.db') });
  return { home, code, submit, work, queue };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const jobOf = async ({ queue }: Pick<ReturnType<typeof makeHome>, 'queue'>, id: string) => {
  const open = await queue();
  try {
    const job = await open.job(id);
    assert.ok(job);
    return job;
  } finally {
    await open.close();
  }
};

test('a command runs in its code with its settings, and leaves its output, events and end', async () => {
  const home = makeHome({
    'run.sh': `echo "in $(basename "$PWD")"; cat "$NIGHTMARK_JOB_CONFIG"; echo oops >&2
      echo '{"type":"metric","measurement":"loss","fields":{"value":0.5},"tags":{"split":"train"}}' >> "$NIGHTMARK_JOB_EVENTS"
      echo '{"type":"info","values":{"state.progress":0.5}}' >> "$NIGHTMARK_JOB_EVENTS"`,
    'left/out.pyc': 'x',
    '.jobignore': '*.pyc',
  });
  const [id = ''] = await home.submit(
    '--set',
    'lr=0.1',
    '--set',
    'opt.name=adam',
    '--name',
    'n/1',
    '--',
    'bash',
    'run.sh',
  );
  const ran = await home.work();
  assert.equal(ran.code, 0, ran.stderr);
  const job = await jobOf(home, id);
  assert.equal(job.status, 'FINISHED');
  assert.deepEqual(job.exit, { type: 'code', code: 0 });
  assert.deepEqual(job.overrides, { lr: 0.1, opt: { name: 'adam' } });
  assert.deepEqual(job.state, { progress: 0.5 });
  assert.deepEqual(job.metrics[0]?.fields, { value: { count: 1, last: 0.5, min: 0.5, max: 0.5 } });
  const folder = join(home.home, 'results/jobs', job.outputDir ?? '');
  assert.ok(folder.endsWith(`/code/n_1_${id.slice(-6)}`));
  const lines = readFileSync(join(folder, 'output.txt'), 'utf8').split('\n');
  assert.deepEqual(
    lines.filter(Boolean).sort(),
    ['in code', 'oops', '{"lr":0.1,"opt":{"name":"adam"}}'].sort(),
  );
  assert.deepEqual(readdirSync(join(folder, 'code')).sort(), ['.jobignore', 'left', 'run.sh']);
  assert.deepEqual(readdirSync(join(folder, 'code/left')), []);
});

test('equal code is stored once', async () => {
  const home = makeHome();
  await home.submit('--', 'bash', 'run.sh');
  await home.submit('--', 'bash', 'run.sh');
  assert.equal(readdirSync(join(home.home, '.nightmark/jobs/code')).length, 1);
  writeFileSync(join(home.code, 'run.sh'), 'echo other');
  await home.submit('--', 'bash', 'run.sh');
  assert.equal(readdirSync(join(home.home, '.nightmark/jobs/code')).length, 2);
});

test('a failed command fails its job, is tried again as often as asked, and the others go on', async () => {
  const home = makeHome({ 'run.sh': 'echo "try $NIGHTMARK_RUN_ID"; exit 7' });
  const [id = ''] = await home.submit('--', 'bash', 'run.sh');
  const [missing = ''] = await home.submit('--', '/no/such/program');
  const [fine = ''] = await home.submit('--', 'true');
  const ran = await home.work();
  assert.equal(ran.code, 4, ran.stderr);
  const failed = await jobOf(home, id);
  assert.equal(failed.status, 'FAILED');
  assert.deepEqual(failed.exit, { type: 'code', code: 7 });
  assert.match(failed.reason ?? '', /exit code 7/);
  assert.match((await jobOf(home, missing)).reason ?? '', /could not be started.*no\/such\/program/);
  assert.equal((await jobOf(home, fine)).status, 'FINISHED');
});

test('a sweep makes a job of each combination, the highest priority runs first', async () => {
  const home = makeHome({ 'run.sh': 'echo "$1" >> ../../../../../../order.txt' });
  const low = await home.submit(
    '--sweep',
    'lr=0.1,0.01',
    '--sweep',
    'seed=1..2',
    '--',
    'bash',
    'run.sh',
    '{lr}-{seed}-{other}',
  );
  assert.equal(low.length, 4);
  await home.submit('--priority', '5', '--', 'bash', 'run.sh', 'first');
  assert.equal((await home.work()).code, 0);
  assert.deepEqual(readFileSync(join(home.home, 'order.txt'), 'utf8').trim().split('\n'), [
    'first',
    '0.1-1-{other}',
    '0.1-2-{other}',
    '0.01-1-{other}',
    '0.01-2-{other}',
  ]);
  assert.deepEqual((await jobOf(home, low[2] ?? '')).config, { lr: 0.01, seed: 1 });
});

test('two workers share a job of two ranks, which begins when both are there', async () => {
  const home = makeHome({ 'run.sh': 'echo "$NIGHTMARK_RANK of $NIGHTMARK_WORKERS"' });
  const [id = ''] = await home.submit('--workers', '2', '--', 'bash', 'run.sh');
  const both = await Promise.all([home.work(), home.work()]);
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ stderr }) => stderr).join(),
  );
  const job = await jobOf(home, id);
  assert.equal(job.status, 'FINISHED');
  const folder = join(home.home, 'results/jobs', job.outputDir ?? '');
  assert.equal(readFileSync(join(folder, 'output.txt'), 'utf8'), '0 of 2\n');
  assert.equal(readFileSync(join(folder, 'output.worker1.txt'), 'utf8'), '1 of 2\n');
});

test('a job waits for those before it, and is cancelled with them', async () => {
  const home = makeHome({ 'run.sh': 'echo "$1" >> ../../../../../../order.txt; exit $2' });
  const [bad = ''] = await home.submit('--', 'bash', 'run.sh', 'bad', '1');
  const [good = ''] = await home.submit('--', 'bash', 'run.sh', 'good', '0');
  const [never = ''] = await home.submit(
    '--after',
    bad.slice(-6),
    '--priority',
    '9',
    '--',
    'bash',
    'run.sh',
    'never',
    '0',
  );
  const [then = ''] = await home.submit(
    '--after',
    good,
    '--priority',
    '9',
    '--',
    'bash',
    'run.sh',
    'then',
    '0',
  );
  assert.equal((await home.work()).code, 4);
  assert.equal(readFileSync(join(home.home, 'order.txt'), 'utf8'), 'bad\ngood\nthen\n');
  assert.equal((await jobOf(home, never)).status, 'CANCELED');
  assert.equal((await jobOf(home, then)).status, 'FINISHED');
});

test('a cancelled job ends within seconds, with all it started', async () => {
  const home = makeHome({ 'run.sh': 'touch ../started; sleep 300 & sleep 300' });
  const [id = ''] = await home.submit('--', 'bash', 'run.sh');
  const worker = startBinary(['job', 'work', '--home', home.home, '--once']);
  const started = async () => {
    const { outputDir } = await jobOf(home, id);
    return outputDir !== undefined && existsSync(join(home.home, 'results/jobs', outputDir, 'started'));
  };
  await until(started);
  const closed = once(worker, 'close');
  const queue = await home.queue();
  assert.deepEqual(await queue.cancel([id], 'by ada'), [{ id, was: 'RUNNING', isCancelled: true }]);
  await queue.close();
  await closed;
  const job = await jobOf(home, id);
  assert.deepEqual([job.status, job.reason], ['CANCELED', 'by ada']);
});

test('a worker that dies leaves its job to the next one, and nothing of it goes on', async () => {
  const home = makeHome({
    'run.sh': 'echo $$ >> ../pids; [ "$(wc -l < ../pids)" = 2 ] && exit 0; exec sleep 300',
  });
  const [id = ''] = await home.submit('--', 'bash', 'run.sh');
  const worker = startBinary(['job', 'work', '--home', home.home]);
  const pids = async () => {
    const { outputDir } = await jobOf(home, id);
    const file = join(home.home, 'results/jobs', outputDir ?? 'none', 'pids');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  await until(async () => (await pids()).length === 1);
  const closed = once(worker, 'close');
  worker.kill('SIGKILL');
  await closed;
  const ran = await home.work();
  assert.equal(ran.code, 0, ran.stderr);
  const job = await jobOf(home, id);
  assert.deepEqual([job.status, job.attempt, job.lost], ['FINISHED', 2, 1]);
  const [first = ''] = await pids();
  assert.equal(existsSync(`/proc/${first}`), false);
});

test('bad input gets an error that helps, and nothing is submitted', async () => {
  const home = makeHome();
  for (const [words, code] of [
    [[], 'JOBS_NO_PROGRAM'],
    [['--script', 'a.py', '--', 'true'], 'JOBS_NO_PROGRAM'],
    [['--set', 'x', '--', 'true'], 'JOBS_SETTING'],
    [['--sweep', 'seed=1..99999999', '--', 'true'], 'JOBS_SWEEP'],
    [['--workers', '0', '--', 'true'], 'JOBS_NUMBER'],
    [['--name', 'a\nb', '--', 'true'], 'JOBS_NAME'],
    [['--after', 'ffffff', '--', 'true'], 'JOBS_UNKNOWN'],
    [['--executor', 'container', '--', 'true'], 'JOBS_NO_IMAGE'],
    [['--memory', 'lots', '--', 'true'], 'JOBS_SIZE'],
  ] as const) {
    const ran = await runInProcess(['job', 'submit', '--home', home.home, '--code', home.code, ...words]);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, new RegExp(`\\[${code}\\]`));
  }
});

test('a resumed job goes on in its folder', async () => {
  const home = makeHome({
    'run.sh': 'echo "attempt $NIGHTMARK_ATTEMPT" >> ../steps; [ "$NIGHTMARK_ATTEMPT" = 2 ] && exit 0; exit 1',
  });
  const [id = ''] = await home.submit('--', 'bash', 'run.sh');
  assert.equal((await home.work()).code, 4);
  const resumed = await runInProcess(['job', 'resume', id.slice(-6), '--home', home.home]);
  assert.deepEqual([resumed.code, resumed.stdout], [0, `${id.slice(-6)} waits again\n`]);
  assert.equal((await home.work()).code, 0);
  const job = await jobOf(home, id);
  assert.deepEqual([job.status, job.attempt, job.reason], ['FINISHED', 2, undefined]);
  const steps = join(home.home, 'results/jobs', job.outputDir ?? '', 'steps');
  assert.equal(readFileSync(steps, 'utf8'), 'attempt 1\nattempt 2\n');
});
