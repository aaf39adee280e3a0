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
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary, startBinary } from '../support/binary.ts';
import { type Slurm, startSlurm, whyNoSlurm } from '../support/slurm.ts';

const skip = whyNoSlurm();
if (skip !== false) console.log(`matrices, nights and duets on Slurm are left out: ${skip}`);

describe('matrices, nights and duets on Slurm', { skip }, () => {
  const root = mkdtempSync(join(tmpdir(), 'nightmark-places-slurm-'));
  const node = hostname().split('.')[0] ?? '';
  let slurm: Slurm;
  let env: Record<string, string>;
  before(async () => {
    slurm = await startSlurm();
    env = { SLURM_CONF: slurm.conf, SLURM_STRANGE: 'of here' };
  });
  after(async () => {
    await slurm.stop();
    rmSync(root, { recursive: true, force: true });
  });
  const folder = (files: Readonly<Record<string, string>>): string => {
    const dir = mkdtempSync(join(root, 'case-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
    return dir;
  };
  const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
  const queued = () => slurm.run('squeue', '-h', '-t', 'PD,R', '-o', '%i').trim();
  const untilThere = async (file: string) => {
    while (!existsSync(file)) await sleep(50);
  };

  test('a matrix runs its tests as jobs at once, and again only what failed', async () => {
    const dir = folder({
      'm.yml': `matrix: {level: [1, 2, 3], mode: [a, b]}
run: 'echo "{level}{mode} $SLURM_JOB_ID $SLURM_CPUS_PER_TASK [$SLURM_STRANGE]"; [ {level}{mode} != 3b -o -e ../../../mended ]'
executor: slurm
resources: {cpus: 2, time: 10m}
slurm: {partition: main}
`,
    });
    const first = await runBinary(['matrix', 'run', join(dir, 'm.yml')], env);
    assert.equal(first.code, 4, first.stderr);
    assert.match(first.stdout, /total: 6, executed: 6/);
    const tests = readdirSync(join(dir, 'results/m')).sort();
    assert.equal(tests.length, 6);
    const logs = tests.map((name) => read(dir, 'results/m', name, 'run.log'));
    for (const log of logs) assert.match(log, /^\d[ab] \d+ 2 \[\]\n$/);
    assert.equal(read(dir, 'results/m', tests[5] ?? '', 'exit_code'), '1\n');
    // A folder of staging that is left would be seen as a result.
    assert.deepEqual(readdirSync(join(dir, 'results/m', tests[0] ?? '')).sort(), [
      'exit_code',
      'run.log',
      'settings.yaml',
    ]);
    const [journal = ''] = readdirSync(join(dir, 'results/.nightmark/matrix')).filter((name) =>
      name.endsWith('.jsonl'),
    );
    const records = read(dir, 'results/.nightmark/matrix', journal).trim().split('\n');
    const ends = records.map((line) => JSON.parse(line)).filter(({ type }) => type === 'end');
    assert.deepEqual(new Set(ends.map(({ host }) => host)), new Set([node]));

    writeFileSync(join(dir, 'mended'), '');
    const again = await runBinary(['matrix', 'run', join(dir, 'm.yml')], env);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /total: 6, executed: 1/);
  });

  test('an interrupt takes the jobs of a matrix from the cluster, and so does the run after a kill', async () => {
    const dir = folder({
      'm.yml': "matrix: {level: [1, 2]}\nrun: 'touch begun; sleep 300'\nexecutor: slurm\n",
    });
    const begun = join(dir, 'results/m/001__level=2/begun');
    const child = startBinary(['matrix', 'run', join(dir, 'm.yml')], env);
    await untilThere(begun);
    child.kill('SIGINT');
    assert.deepEqual((await once(child, 'exit'))[0], 130);
    assert.equal(queued(), '');

    rmSync(begun);
    const killed = startBinary(['matrix', 'run', join(dir, 'm.yml')], env);
    await untilThere(begun);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    assert.equal(queued().split('\n').length, 2);
    writeFileSync(join(dir, 'm.yml'), read(dir, 'm.yml').replace('sleep 300', 'true'));
    const ran = await runBinary(['matrix', 'run', join(dir, 'm.yml'), '--executor', 'process'], env);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stderr, /Stopped 2 processes that the interrupted run \S+ left behind/);
    assert.equal(queued(), '');
  });

  test('a night runs the stages of an experiment on the cluster, with its matrix, and says where', async () => {
    const home = folder({
      'nightmark.yml': `defaults: {executor: slurm, resources: {time: 5m}, telemetry: false}
experiments:
  sort:
    setup: 'echo "$SLURM_JOB_ID" > {out}/id'
    run: 'echo "{\\"time\\": 1.5}"; test -n "$SLURM_JOB_ID"'
    results: {format: json, unit: s}
    telemetry: true
  pack:
    run: 'echo "{\\"time\\": {level}.5}"; test -n "$SLURM_JOB_ID"'
    results: {format: json, unit: s}
    matrix: {level: [1, 2, 9]}
  slow: {run: sleep 60, timeout: 1s}
  here: {run: 'test -z "$SLURM_JOB_ID" && echo "{\\"time\\": 2}"', executor: process, results: {format: json, unit: s}}
`,
    });
    const ran = await runBinary(['run', home, '--json'], env);
    assert.equal(ran.code, 4, ran.stderr);
    const { trials, run } = JSON.parse(ran.stdout);
    const states = trials.map(({ task, state, message }: Record<string, string>) => [task, state, message]);
    assert.deepEqual(states, [
      ['sort', 'succeeded', ''],
      ['pack', 'succeeded', ''],
      ['slow', 'failed', 'run did not end within 1 s and was ended with all its processes'],
      ['here', 'succeeded', ''],
    ]);
    assert.deepEqual(run.warnings, ['No telemetry of sort: it runs by slurm, not on this machine.']);
    const status = JSON.parse(read(home, 'results/experiments/status/sort/run.json'));
    assert.deepEqual(
      [status.executor, status.host, status.run_cpu_telemetry, status.success],
      ['slurm', node, false, true],
    );
    assert.match(read(home, '.nightmark/setup/sort/id'), /^\d+\n$/);
    assert.equal(queued(), '');
  });

  test('a duet is one job that runs both sides, and its output and exit code come back', async () => {
    const dir = folder({
      'd.yml': `duetbench: {name: d, suite: debug, results: [out.txt], duets: [plain]}
plain:
  duet_repetitions: 2
  A: { run: 'echo "A $SLURM_JOB_ID" > out.txt' }
  B: { run: 'echo "B $SLURM_JOB_ID" > out.txt' }
`,
    });
    const args = ['duet', 'run', 'd.yml', '-o', 'res', '--executor', 'slurm', '--json'];
    const child = startBinary(args, env, dir);
    let stdout = '';
    child.stdout?.on('data', (chunk) => (stdout += chunk));
    assert.equal((await once(child, 'close'))[0], 0);
    assert.deepEqual(JSON.parse(stdout).files[0].ended, 2);
    const files = readdirSync(join(dir, 'res')).filter((name) => name.endsWith('out.txt'));
    const jobs = files.map((name) => read(dir, 'res', name).split(' ')[1]);
    assert.equal(files.length, 4);
    assert.deepEqual(new Set(jobs).size, 1);
    assert.match(jobs[0] ?? '', /^\d+\n$/);
    assert.deepEqual(readdirSync(dir).sort(), ['d.yml', 'res']);

    const commands = ['sleep 0.02', 'sleep 0.2', '-r', '8', '--json', '--executor', 'slurm', '--cpus', '2'];
    const compared = await runBinary(['duet', ...commands], env);
    assert.equal(compared.code, 3, compared.stderr);
    assert.match(compared.stderr, /This duet is slurm job \d+\.\n(?:.*\n)*It ran on /);
    assert.match(compared.stdout, /"slower"/);
  });
});

test('without Slurm it is said before anything runs, and by the check', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-no-slurm-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  const path = { PATH: join(dir, 'no-programs') };
  writeFileSync(join(dir, 'm.yml'), 'matrix: {level: [1]}\nrun: "true"\nexecutor: slurm\n');
  const matrix = await runBinary(['matrix', 'run', join(dir, 'm.yml')], path);
  assert.equal(matrix.code, 1);
  assert.match(matrix.stderr, /Slurm cannot be used from here: .*\n.*login node.*\n {2}\[RUN_NO_SLURM\]/);
  assert.equal(existsSync(join(dir, 'results/m')), false);
  const checked = await runBinary(['check', join(dir, 'm.yml')], path);
  assert.equal(checked.code, 0);
  assert.match(checked.stdout, /warning: executor: slurm cannot be used from here/);
  const duet = await runBinary(['duet', 'true', 'true', '--executor', 'slurm'], path);
  assert.match(duet.stderr, /RUN_NO_SLURM/);

  const home = join(dir, 'home');
  mkdirSync(home);
  writeFileSync(
    join(home, 'nightmark.yml'),
    'experiments:\n  far: {run: "true", executor: slurm}\n  near: {run: "echo {}"}\n',
  );
  const home2 = await runBinary(['check', home], path);
  assert.match(home2.stdout, /warning: executor: slurm cannot be used from here/);
  const night = await runBinary(['run', home, '--json', '--only', 'far'], path);
  assert.equal(night.code, 4, night.stderr);
  const [far] = JSON.parse(night.stdout).trials;
  assert.equal(far.failedStage, 'precheck');
  assert.match(far.message, /Slurm cannot be used from here/);
});
