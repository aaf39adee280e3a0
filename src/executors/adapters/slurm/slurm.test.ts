import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Slurm, startSlurm, whyNoSlurm } from '../../../../test/support/slurm.ts';
import type { Command, Execution } from '../../core/executor.ts';
import executor from './slurm.ts';

const skip = whyNoSlurm();
if (skip !== false) console.log(`Slurm is left out: ${skip}`);

describe('a real Slurm', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-slurm-jobs-'));
  const idle = new AbortController().signal;
  let slurm: Slurm;
  let count = 0;

  before(async () => {
    slurm = await startSlurm();
    process.env['SLURM_CONF'] = slurm.conf;
  });
  after(async () => {
    await slurm.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const bash = (script: string, more: Partial<Command> = {}): Command => ({
    argv: ['bash', '-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    logFile: join(folder, `${count++}.log`),
    ...more,
  });
  const exitOf = async (execution: Execution) => (await execution.wait()).exit;
  const textOf = ({ logFile }: Command) => readFileSync(logFile, 'utf8');
  const stateOf = (ref: string | undefined) =>
    slurm.run('squeue', '-h', '-t', 'all', '-j', `${ref}`, '-o', '%T').trim();
  const untilRunning = async (execution: Execution) => {
    const ref = (await execution.ref) ?? assert.fail('it was not taken');
    while (stateOf(ref) !== 'RUNNING') await sleep(50);
    return ref;
  };

  test('what was carried away of a long output holds no disk space, and a later process sees the same', async () => {
    const script =
      'echo first; yes 0123456789abcde | head -c 80000000; while [ ! -e go-long ]; do sleep 0.1; done; echo last';
    const command = bash(script);
    const program = `
      const { default: slurmExecutor } = await import(${JSON.stringify(new URL('./slurm.js', import.meta.url).href)});
      const command = { ...${JSON.stringify(command)}, onOutput() {} };
      console.log(await slurmExecutor.start(command, new AbortController().signal).ref);`;
    const first = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const ref = String((await once(first.stdout, 'data'))[0]).trim();
    const raw = join(folder, `.slurm-${basename(command.logFile)}`, 'stdout');
    const facts = () => statSync(raw, { throwIfNoEntry: false }) ?? { size: 0, blocks: 0 };
    const isSmall = () => facts().size > 80_000_000 && facts().blocks * 512 < 40_000_000;
    for (let tries = 0; !isSmall() && tries < 200; tries++) await sleep(100);
    assert.ok(isSmall(), JSON.stringify(facts()));
    first.kill('SIGKILL');
    await once(first, 'exit');
    const later = await executor.attach?.(ref, command, idle);
    writeFileSync(join(folder, 'go-long'), '');
    assert.equal((await later?.wait())?.logBytes, 80_000_011);
    const text = textOf(command);
    assert.ok(text.startsWith('first\n0123') && text.endsWith('last\n'), text.slice(-20));
    assert.ok(!text.includes('\0'));
  });

  test('runs a hundred commands of one moment as one array, each with its own arguments and end', async () => {
    const commands = Array.from({ length: 100 }, (_, i) =>
      bash(`echo "number ${i}"; exit ${i % 7}`, {
        title: `ann-${i}`,
        env: { PATH: process.env['PATH'] ?? '', NIGHTMARK_RUN_ID: `run-${i}` },
      }),
    );
    const executions = commands.map((command) => executor.start(command, new AbortController().signal));
    const refs = await Promise.all(executions.map(({ ref }) => ref));
    const [job] = `${refs[0]}`.split('_');
    assert.deepEqual(
      refs,
      refs.map((_, i) => `${job}_${i}`),
    );
    assert.match(slurm.run('squeue', '-h', '-t', 'all', '-j', `${job}`, '-o', '%j'), /^(ann\n)+$/);
    const exits = await Promise.all(executions.map(exitOf));
    assert.deepEqual(
      exits,
      exits.map((_, i) => ({ type: 'code', code: i % 7 })),
    );
    commands.forEach((command, i) => {
      assert.equal(textOf(command), `number ${i}\n`);
    });
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.slurm')),
      [],
    );
  });

  test('asks for the resources of a command, and only its environment arrives', async () => {
    const resources = { cpus: 2, memoryBytes: 64 * 1024 * 1024, timeMs: 90_000 };
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const command = bash('env; exec sleep 60', {
      onOutput: () => hear(),
      title: 'two words; $(x)',
      resources,
      place: { slurm: { partition: 'main', options: ['--nice=5'] } },
    });
    process.env['SECRET_OF_OURS'] = 'x';
    const running = executor.start(command, idle);
    await heard;
    const ref = await untilRunning(running);
    const shown = slurm.run('scontrol', '-o', 'show', 'job', ref);
    running.kill();
    await running.wait();
    assert.match(shown, /JobName=two-words-x /);
    assert.match(shown, /TimeLimit=00:02:00 .* Nice=5|Nice=5 .*TimeLimit=00:02:00 /);
    assert.match(shown, /CPUs\/Task=2 /);
    assert.match(textOf(command), /^SLURM_CPUS_PER_TASK=2$/m);
    assert.match(textOf(command), /^SLURM_MEM_PER_NODE=64$/m);
    assert.doesNotMatch(textOf(command), /SECRET_OF_OURS|^HOME=/m);
  });

  test('starts what depends on others after them, or never', async () => {
    const first = executor.start(bash('sleep 0.5; echo first >> order'), idle);
    const second = executor.start(bash('echo second >> order', { after: [`${await first.ref}`] }), idle);
    assert.deepEqual(await exitOf(second), { type: 'code', code: 0 });
    assert.equal(readFileSync(join(folder, 'order'), 'utf8'), 'first\nsecond\n');
    const failing = executor.start(bash('sleep 0.5; exit 1'), idle);
    const never = executor.start(bash('echo never', { after: [`${await failing.ref}`] }), idle);
    assert.deepEqual(await exitOf(never), {
      type: 'not-started',
      reason: `a job that job ${await never.ref} depends on failed`,
    });
  });

  test('cancels what runs with time to clean up, and what waits at once', async () => {
    const abort = new AbortController();
    const command = bash(`trap 'echo cleaned; exit 0' TERM; echo up; while :; do sleep 0.05; done`, {
      stdoutFile: join(folder, 'cancel.txt'),
    });
    const running = executor.start(command, abort.signal);
    const waiting = executor.start(bash('true', { place: { slurm: { options: ['--hold'] } } }), abort.signal);
    const ref = await untilRunning(running);
    while (!readdirSync(folder).includes(`${command.logFile.split('/').at(-1)}`)) await sleep(20);
    abort.abort();
    assert.deepEqual(await exitOf(running), { type: 'cancelled' });
    assert.deepEqual(await exitOf(waiting), { type: 'cancelled' });
    assert.equal(readFileSync(join(folder, 'cancel.txt'), 'utf8'), 'up\ncleaned\n');
    while (stateOf(ref) === 'COMPLETING') await sleep(50);
    assert.equal(stateOf(ref), 'CANCELLED');
    assert.equal(stateOf(await waiting.ref), 'CANCELLED');
  });

  test('reports when somebody else cancelled it', async () => {
    const running = executor.start(bash('exec sleep 60'), idle);
    const waiting = executor.start(bash('true', { place: { slurm: { options: ['--hold'] } } }), idle);
    const refs = [await untilRunning(running), `${await waiting.ref}`];
    slurm.run('scancel', ...refs);
    const reasons = refs.map((ref) => ({ type: 'cancelled', reason: `job ${ref} was cancelled in Slurm` }));
    assert.deepEqual([await exitOf(running), await exitOf(waiting)], reasons);
  });

  test('reports that a node failed under it', async () => {
    const running = executor.start(bash('exec sleep 60'), idle);
    const ref = await untilRunning(running);
    const node = slurm.run('squeue', '-h', '-j', ref, '-o', '%N').trim();
    slurm.run('scontrol', 'update', `NodeName=${node}`, 'State=DOWN', 'Reason=test');
    const { exit } = await running.wait();
    // It comes back by itself: ReturnToService.
    while (!/idle|mix|alloc/.test(slurm.run('sinfo', '-h', '-o', '%t'))) await sleep(50);
    assert.deepEqual(exit, { type: 'signal', signal: 'SIGKILL', reason: `the node of job ${ref} failed` });
  });

  test('reports what Slurm refused in its own words', async () => {
    const nowhere = bash('true', { place: { slurm: { partition: 'nope' } } });
    assert.deepEqual(await exitOf(executor.start(nowhere, idle)), {
      type: 'not-started',
      reason: 'sbatch: Batch job submission failed: Invalid partition name specified',
    });
    const odd = executor.start(bash('true', { place: { slurm: { options: ['--no-such-option'] } } }), idle);
    assert.deepEqual(await odd.ref, undefined);
    assert.equal((await exitOf(odd)).type, 'not-started');
  });

  test('starts several tasks in one allocation, each with its rank', async () => {
    const command = bash('echo "rank $NIGHTMARK_RANK of $SLURM_NTASKS"', { tasks: 3 });
    assert.deepEqual(await exitOf(executor.start(command, idle)), { type: 'code', code: 0 });
    assert.deepEqual(
      textOf(command).trim().split('\n').sort(),
      [0, 1, 2].map((rank) => `rank ${rank} of 3`),
    );
  });

  test('finds the leftovers of one run inside an array of several', async () => {
    const env = (NIGHTMARK_RUN_ID: string) => ({ PATH: process.env['PATH'] ?? '', NIGHTMARK_RUN_ID });
    const [mine, other] = ['mine', 'other'].map((id) =>
      executor.start(bash('exec sleep 60', { env: env(id) }), idle),
    ) as [Execution, Execution];
    await untilRunning(mine);
    const ref = await untilRunning(other);
    assert.equal(await executor.endLeftovers('mine'), 1);
    assert.deepEqual(await exitOf(mine), { type: 'signal', signal: 'SIGTERM' });
    assert.equal(stateOf(ref), 'RUNNING');
    other.kill();
    assert.deepEqual(await exitOf(other), { type: 'cancelled' });
  });

  test('a job whose script left no word is reported by what Slurm noted', async () => {
    const command = bash('kill -KILL $PPID; exec sleep 60');
    const { exit } = await executor.start(command, idle).wait();
    assert.deepEqual(exit, { type: 'signal', signal: 'SIGKILL' });
  });

  test('follows jobs through a restart of the controller, and hands over what came meanwhile', async () => {
    const before = bash('echo before; while [ ! -e on ]; do sleep 0.05; done; echo after');
    const running = executor.start(before, idle);
    await untilRunning(running);
    await slurm.stopController();
    const meanwhile = executor.start(bash('echo meanwhile'), idle);
    writeFileSync(join(folder, 'on'), '');
    await sleep(500);
    await slurm.startController();
    assert.deepEqual(await exitOf(running), { type: 'code', code: 0 });
    assert.equal(textOf(before), 'before\nafter\n');
    assert.deepEqual(await exitOf(meanwhile), { type: 'code', code: 0 });
  });
});
