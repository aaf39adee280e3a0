import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodePrefix, processTimer as timer } from '../../src/duet/adapters/timer/process-timer.ts';
import { ProcessSession } from '../../src/duet/adapters/timer/timer-session.ts';
import type { TimedCommand, TimerSession } from '../../src/duet/core/command-timer.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-timers-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('timer process', () => {
  contract((workers) => timer.open(workers));

  test('names cores that can be used', async () => {
    const cores = (await timer.cores()).flat();
    assert.ok(cores.length >= 1);
    assert.equal(new Set(cores).size, cores.length);
  });
});

describe('timer process, with workers in Node as where there is no bash 5', () => {
  contract(async (workers) => new ProcessSession(workers, nodePrefix()), { startsLate: true });
});

/** @param startsLate the clock starts after the command, by as much as the machine keeps the worker from running. */
function contract(
  open: (workers: number) => Promise<TimerSession>,
  { startsLate } = { startsLate: false },
): void {
  const idle = new AbortController().signal;
  const command = (...argv: [string, ...string[]]): TimedCommand => ({
    argv,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    output: 'tail',
  });
  const bash = (script: string) => command('bash', '-c', script);
  const withSession = async (workers: number, work: (session: TimerSession) => Promise<void>) => {
    const session = await open(workers);
    try {
      await work(session);
    } finally {
      await session.close();
    }
  };

  test('1: commands of one call run at the same time, each with its start', () =>
    withSession(2, async (session) => {
      const meet = (own: string, other: string) =>
        bash(`rm -f ${other}.seen; touch ${own}; while [ ! -e ${other} ]; do sleep 0.01; done; sleep 0.1`);
      const [a, b] = await session.run([meet('left', 'right'), meet('right', 'left')], idle);
      assert.deepEqual(
        [a?.exit, b?.exit],
        [
          { type: 'code', code: 0 },
          { type: 'code', code: 0 },
        ],
      );
      // A second apart would be another run; a loaded machine may take its time to start a process.
      const skewNs = Number((a?.startedAtNs ?? 0n) - (b?.startedAtNs ?? 0n));
      assert.ok(Math.abs(skewNs) < 1e9, `skew ${skewNs} ns`);
    }));

  test('2: the wall time is at least what the command slept, and not what we did around it', () =>
    withSession(1, async (session) => {
      const calledNs = BigInt(Date.now()) * 1_000_000n;
      const [slept] = await session.run([command('sleep', '0.1')], idle);
      const { wallNs, startedAtNs } = slept ?? assert.fail();
      const waitedNs = Number(startedAtNs - calledNs);
      assert.ok(waitedNs >= 0, `started ${-waitedNs} ns before it was asked for`);
      const sleptNs = startsLate ? waitedNs + wallNs : wallNs;
      assert.ok(sleptNs >= 100e6, `${sleptNs} ns`);
      const before = performance.now();
      const [again] = await session.run([command('sleep', '0.1')], idle);
      assert.ok((again?.wallNs ?? 0) <= (performance.now() - before) * 1e6);
    }));

  test('2: one session runs many commands, also the same one twice at once', () =>
    withSession(2, async (session) => {
      for (let round = 0; round < 3; round++) {
        const same = command('true');
        const timings = await session.run([same, same], idle);
        assert.deepEqual(
          timings.map(({ exit }) => exit),
          [0, 0].map((code) => ({ type: 'code', code })),
        );
        const [alone] = await session.run([bash('exit 7')], idle);
        assert.deepEqual(alone?.exit, { type: 'code', code: 7 });
      }
    }));

  test(
    '3: CPU time is that of the command and its children',
    {
      skip: process.platform !== 'linux' && 'only Linux tells',
    },
    () =>
      withSession(1, async (session) => {
        const busy = bash('bash -c "while (( \\$SECONDS < 1 )); do :; done"');
        let cpuNs = 0;
        for (let round = 0; round < 2; round++) {
          const [timing] = await session.run([busy], idle);
          cpuNs += (timing?.userNs ?? 0) + (timing?.systemNs ?? 0);
        }
        assert.ok(cpuNs > 50e6, `${cpuNs} ns`);
        const [idleTime] = await session.run([command('sleep', '0.2')], idle);
        assert.ok((idleTime?.userNs ?? 0) + (idleTime?.systemNs ?? 0) < 150e6);
      }),
  );

  test('3: measures are wall time and CPU time in seconds, with the steps of the latter', async () =>
    withSession(1, async (session) => {
      const [timing] = await session.run([command('sleep', '0.05')], idle);
      const { measures, wallNs, userNs = 0, systemNs = 0, cpuStepNs } = timing ?? assert.fail();
      assert.equal(measures.wall, wallNs / 1e9);
      if (process.platform !== 'linux') return;
      assert.equal(measures.cpu, (userNs + systemNs) / 1e9);
      assert.ok(cpuStepNs === 1e6 || cpuStepNs === 10e6);
    }));

  test(
    '3: what was not waited for is noticed',
    { skip: process.platform !== 'linux' && 'only Linux tells' },
    () =>
      withSession(2, async (session) => {
        await session.run([command('true'), command('sleep', '0.01')], idle);
        assert.equal(session.leftRunning(), 0);
        // Ends when both have become what they are: a process in the middle of its start is not seen.
        const names = '"$(cat /proc/$a/comm)$(cat /proc/$b/comm)"';
        const both = `sleep 61 & a=$!; setsid sleep 61 & b=$!; until [ ${names} = sleepsleep ]; do :; done`;
        await session.run([bash(both)], idle);
        assert.equal(session.leftRunning(), 2);
      }),
  );

  test(
    'a watched command that computes is runnable all the time, on a busy machine too; one that sleeps is not',
    { skip: !existsSync(`/proc/self/task/${process.pid}/children`) && 'the kernel does not list children' },
    () =>
      withSession(2, async (session) => {
        const watched = (one: TimedCommand) => ({ ...one, isWatched: true });
        const busy = bash('for ((i = 0; i < 200000; i++)); do :; done');
        const [computing, sleeping] = await session.run([watched(busy), watched(bash('sleep 0.4; :'))], idle);
        assert.ok((computing?.runnable ?? 0) > 0.7, `${computing?.runnable}`);
        assert.ok((sleeping?.runnable ?? 0) < 0.5, `${sleeping?.runnable}`);
        const [plain] = await session.run([busy], idle);
        assert.equal(plain?.runnable, undefined);
      }),
  );

  test('4: a timeout ends all commands of the call with all they started', () =>
    withSession(2, async (session) => {
      const pids = join(folder, 'timeout.pids');
      rmSync(pids, { force: true });
      const tree = bash(`echo $$ >> ${pids}; trap '' TERM; setsid sleep 61 & echo $! >> ${pids}; sleep 61`);
      const patient = bash(`echo $$ >> ${pids}; exec sleep 61`);
      const timings = await session.run([{ ...tree, timeoutMs: 400 }, patient], idle);
      for (const { exit } of timings) assert.deepEqual(exit, { type: 'timeout', afterMs: 400 });
      assertGone(pids, 3);
      const [next] = await session.run([command('true')], idle);
      assert.deepEqual(next?.exit, { type: 'code', code: 0 });
    }));

  test('4: a cancel ends the commands; cancelled before, nothing starts', () =>
    withSession(2, async (session) => {
      const pids = join(folder, 'cancel.pids');
      rmSync(pids, { force: true });
      const abort = new AbortController();
      const running = session.run([bash(`echo $$ >> ${pids}; sleep 61; :`)], abort.signal);
      while (readIfThere(pids) === '') await sleep(10);
      abort.abort();
      assert.deepEqual((await running)[0]?.exit, { type: 'cancelled' });
      assertGone(pids, 1);
      const [never] = await session.run([bash(`echo $$ >> ${pids}`)], abort.signal);
      assert.deepEqual(never?.exit, { type: 'cancelled' });
      assertGone(pids, 1);
    }));

  test('4: what a command left running ends with the session', async () => {
    const pids = join(folder, 'left.pids');
    rmSync(pids, { force: true });
    await withSession(1, async (session) => {
      const script = `sleep 61 & echo $! >> ${pids}; setsid sleep 61 & echo $! >> ${pids}`;
      const [timing] = await session.run([bash(script)], idle);
      assert.deepEqual(timing?.exit, { type: 'code', code: 0 });
    });
    assertGone(pids, 2);
  });

  test('5: what cannot be started is an exit, and then none of the call is started', () =>
    withSession(2, async (session) => {
      const mark = join(folder, 'started');
      const [missing, other] = await session.run([command('no-such-program'), command('touch', mark)], idle);
      assert.deepEqual(missing?.exit, { type: 'not-started', reason: 'no-such-program: not found in PATH' });
      assert.deepEqual(other?.exit, { type: 'cancelled' });
      assert.equal(readdirSync(folder).includes('started'), false);
      const [nowhere] = await session.run([{ ...command('true'), cwd: '/no/such/folder' }], idle);
      assert.deepEqual(nowhere?.exit, {
        type: 'not-started',
        reason: 'the folder /no/such/folder does not exist',
      });
      const [broken] = await session.run([{ ...command('true'), env: { A: 'nul\0inside' } }], idle);
      assert.equal(broken?.exit.type, 'not-started');
    }));

  test('arguments and environment arrive as given, also those that a shell would take for its own', () =>
    withSession(1, async (session) => {
      const odd = ['two words', "quo'te", '"double"', 'new\nline', '$HOME', '*', 'naïve', '', '-n'];
      const env = { PATH: process.env['PATH'] ?? '', ODD: 'a;b\n"c"', BASH_ENV: '/no/such/file', 'A.B': 'c' };
      const script =
        'console.log(JSON.stringify([process.argv.slice(1), process.env])); process.exitCode = 1';
      const [shown] = await session.run(
        [{ ...command(process.execPath, '-e', script, '--', ...odd), env }],
        idle,
      );
      const [args, got] = JSON.parse(shown?.tail ?? '') as [string[], Record<string, string>];
      assert.deepEqual(args, odd);
      for (const [name, value] of Object.entries(env)) assert.equal(got[name], value);
    }));

  test('the tail is bounded, and holds what was asked for', () =>
    withSession(1, async (session) => {
      const noisy = bash('yes 0123456789abcde | head -c 1000000; echo oops >&2; echo last; exit 3');
      const [both] = await session.run([noisy], idle);
      assert.ok((both?.tail.length ?? 0) <= 4096 && both?.tail.endsWith('last\n'), both?.tail.slice(-20));
      const [errors] = await session.run([{ ...noisy, output: 'errors' }], idle);
      assert.equal(errors?.tail, 'oops\n');
      const [nothing] = await session.run([{ ...noisy, output: 'null' }], idle);
      assert.deepEqual([nothing?.tail, nothing?.exit], ['', { type: 'code', code: 3 }]);
    }));

  test(
    'pins to the cores that were given',
    {
      skip: process.platform !== 'linux' && 'taskset is a program of Linux',
    },
    () =>
      withSession(1, async (session) => {
        const ask = { ...bash('grep Cpus_allowed_list /proc/self/status; exit 1'), cores: [0] };
        assert.match((await session.run([ask], idle))[0]?.tail ?? '', /:\s0\n$/);
      }),
  );
}

function assertGone(file: string, count: number): void {
  const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  assert.equal(pids.length, count);
  // A process that was killed needs a moment to go on a busy machine.
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 40 && pids.some(isRunning); tries++) Atomics.wait(pause, 0, 0, 50);
  assert.deepEqual(pids.filter(isRunning), []);
}

function isRunning(pid: number): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
