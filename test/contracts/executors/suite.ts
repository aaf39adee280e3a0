import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Executor } from '../../../src/executors/core/executor.ts';

/** What is particular to one of src/executors/adapters. */
export interface Trial {
  readonly id: string;
  /** Why it cannot be tried here. */
  readonly skip?: string | false;
  /** Registers hooks that bring up what it needs. */
  readonly setUp?: () => void;
  /** What every command of it has; `folder` is where all files of the suite lie. */
  readonly more?: (folder: string) => Partial<Command>;
  /** Nodes of some clusters keep one log of both streams, and make a working directory that is not there. */
  readonly isOneLog?: boolean;
}

/** The contract of core/ports/executor.ts. Each executor is a file of its own, so that they are tried side by side. */
export function judgeExecutor({ id, skip = false, setUp, more: own, isOneLog = false }: Trial): void {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-executors-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  if (skip !== false) console.log(`executor ${id} is left out: ${skip}`);
  describe(`executor ${id}`, { skip }, async () => {
    const { default: executor } = (await import(`../../../src/executors/adapters/${id}/${id}.js`)) as {
      default: Executor;
    };
    setUp?.();
    const idle = new AbortController().signal;
    let count = 0;
    const bash = (script: string, more: Partial<Command> = {}): Command => ({
      argv: ['bash', '-c', script],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      logFile: join(folder, `${id}-${count++}.log`),
      ...own?.(folder),
      ...more,
    });

    test('is named after its folder', () => assert.equal(executor.id, id));

    test('1: resolves with how the command ended', async () => {
      assert.deepEqual((await executor.start(bash('exit 7'), idle).wait()).exit, { type: 'code', code: 7 });
      assert.deepEqual((await executor.start(bash('kill -9 $$'), idle).wait()).exit, {
        type: 'signal',
        signal: 'SIGKILL',
      });
    });

    test('1: a command that cannot be started is an exit, not an exception', async () => {
      const missing = await executor.start(bash('', { argv: ['/no/such/program'] }), idle).wait();
      assert.equal(missing.exit.type, 'not-started');
      const broken = await executor.start(bash('true', { env: { A: 'nul\0inside' } }), idle).wait();
      assert.equal(broken.exit.type, 'not-started');
      if (isOneLog) return;
      const nowhere = await executor.start(bash('true', { cwd: '/no/such/folder' }), idle).wait();
      assert.deepEqual(nowhere.exit, {
        type: 'not-started',
        reason: 'the folder /no/such/folder does not exist',
      });
    });

    test('2: a timeout ends the whole tree, also what ignores SIGTERM or leaves the group', async () => {
      const started = join(folder, `tree-${id}.started`);
      const env = markedEnv(`tree-${id}`);
      const script = `trap '' TERM; echo leader >> ${started}
        (trap '' TERM; echo child >> ${started}; while :; do sleep 0.05; done) &
        setsid bash -c 'echo stranger >> ${started}; exec sleep 60' &
        while :; do sleep 0.05; done`;
      const { exit } = await executor.start(bash(script, { timeoutMs: 600, graceMs: 400, env }), idle).wait();
      assert.deepEqual(exit, { type: 'timeout', afterMs: 600 });
      const names = readFileSync(started, 'utf8').trim().split('\n').sort();
      assert.deepEqual(names, ['child', 'leader', 'stranger']);
      assert.deepEqual(marked(`tree-${id}`), []);
    });

    test('2: what a finished command leaves running is ended with it', async () => {
      const env = markedEnv(`left-${id}`);
      const { exit } = await executor.start(bash('sleep 60 & true', { env }), idle).wait();
      assert.deepEqual(exit, { type: 'code', code: 0 });
      assert.deepEqual(marked(`left-${id}`), []);
    });

    test('2: cancel and kill end the command', async () => {
      const abort = new AbortController();
      const cancelled = executor.start(bash('sleep 60'), abort.signal);
      const killed = executor.start(bash('sleep 60'), idle);
      await sleep(50);
      abort.abort();
      killed.kill();
      assert.deepEqual((await cancelled.wait()).exit, { type: 'cancelled' });
      assert.deepEqual((await killed.wait()).exit, { type: 'cancelled' });
    });

    test('2: leftovers of a dead run are found by its id', async () => {
      const runId = `dead-run-${id}-${process.pid}`;
      const env = { ...markedEnv(`orphan-${id}`), NIGHTMARK_RUN_ID: runId };
      const orphan = executor.start(bash('exec sleep 60', { env }), idle);
      while (!marked(`orphan-${id}`).includes('sleep')) await sleep(20);
      assert.equal(await executor.endLeftovers(runId), 1);
      assert.equal(await executor.endLeftovers(runId), 0);
      const { exit } = await orphan.wait();
      // The client of an engine may lose its container before it learns of the signal; then it ends with a code of its own.
      assert.ok(exit.type === 'signal' || (id === 'container' && exit.type === 'code' && exit.code !== 0));
    });

    test('2: a command that ended leaves nothing to be found', async () => {
      const env = { ...markedEnv(`done-${id}`), NIGHTMARK_RUN_ID: `done-run-${id}-${process.pid}` };
      await executor.start(bash('exit 3', { env }), idle).wait();
      assert.equal(await executor.endLeftovers(env.NIGHTMARK_RUN_ID), 0);
    });

    test('3: both outputs go to the log, and stdout alone where asked', async () => {
      const command = bash('echo one; echo two >&2; echo three', {
        stdoutFile: join(folder, `stdout-${id}.txt`),
      });
      const { logBytes } = await executor.start(command, idle).wait();
      assert.equal(logBytes, 14);
      assert.deepEqual(readFileSync(command.logFile, 'utf8').split('\n').sort(), ['', 'one', 'three', 'two']);
      if (!isOneLog) assert.equal(readFileSync(join(folder, `stdout-${id}.txt`), 'utf8'), 'one\nthree\n');
    });

    test('3: an endless log keeps head and tail', async () => {
      // Just beyond the 17 MiB that are kept. Long lines: a node puts its stamp before each, and that is what takes time.
      const script = `echo first; yes ${'0123456789'.repeat(50)} | head -c 20000000; echo; echo last`;
      const command = bash(script);
      const { logBytes } = await executor.start(command, idle).wait();
      assert.equal(logBytes, 20_000_012);
      assert.ok(statSync(command.logFile).size < 18_000_000);
      const text = readFileSync(command.logFile, 'utf8');
      assert.ok(text.startsWith('first\n') && text.endsWith('last\n'));
      assert.match(text, /\[\.\.\. \d+ bytes left out \.\.\.\]/);
    });

    test('3: who listens gets all of it, by stream, and nothing after the end', async () => {
      const heard = { stdout: '', stderr: '' };
      const script = 'echo one; echo two >&2; yes 0123456789abcde | head -c 8000000; printf last';
      const onOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => {
        heard[stream] += Buffer.from(bytes).toString('latin1');
      };
      await executor.start(bash(script, { onOutput }), idle).wait();
      if (isOneLog) heard.stdout = heard.stdout.replace('two\n', '');
      assert.equal(heard.stdout.length, 8_000_008);
      assert.ok(heard.stdout.startsWith('one\n0123') && heard.stdout.endsWith('last'));
      assert.equal(heard.stderr, isOneLog ? '' : 'two\n');
    });

    test('3: output is heard while the command runs', async () => {
      let hear = () => {};
      const heard = new Promise<void>((resolve) => {
        hear = resolve;
      });
      const script = `echo ready; while [ ! -e go-${id} ]; do sleep 0.02; done; echo gone`;
      const running = executor.start(bash(script, { onOutput: () => hear() }), idle);
      await heard;
      writeFileSync(join(folder, `go-${id}`), '');
      assert.deepEqual((await running.wait()).exit, { type: 'code', code: 0 });
    });

    test('4: arguments and environment arrive byte by byte', async () => {
      const odd = ['two words', "quo'te", '"double"', 'new\nline', '$HOME', '*', 'naïve', ''];
      const out = join(folder, 'args.txt');
      const argv = ['bash', '-c', 'printf "%s\\0" "$@" "$ODD"', 'x', ...odd] as const;
      const env = { PATH: process.env['PATH'] ?? '', ODD: 'a;b\n"c"' };
      await executor
        .start(bash('', { argv: [...argv] as [string, ...string[]], env, stdoutFile: out }), idle)
        .wait();
      assert.deepEqual(readFileSync(out, 'utf8').split('\0').slice(0, -1), [...odd, 'a;b\n"c"']);
    });

    test('5: a later process follows a command to the same end', {
      skip: !executor.attach && 'the executor declares no attach',
    }, async () => {
      const command = bash(`echo early; while [ ! -e later-${id} ]; do sleep 0.02; done; echo late; exit 5`);
      const ref = await startedByTheDead(id, command);
      const again = await executor.attach?.(ref, command, idle);
      writeFileSync(join(folder, `later-${id}`), '');
      const { exit, logBytes } = (await again?.wait()) ?? assert.fail(`${ref} is not known`);
      assert.deepEqual(exit, { type: 'code', code: 5 });
      assert.equal(readFileSync(command.logFile, 'utf8'), 'early\nlate\n');
      assert.equal(logBytes, 11);
    });

    test('5: a ref that nobody knows is not followed', {
      skip: !executor.attach && 'the executor declares no attach',
    }, async () => {
      for (const ref of ['987654', '--help', ''])
        assert.equal(await executor.attach?.(ref, bash('true'), idle), undefined);
    });

    test('pins by list and by mask', {
      skip: !executor.capabilities.pinning && 'the executor declares no pinning',
    }, async () => {
      for (const pinning of [
        { type: 'list', cores: '0' },
        { type: 'mask', mask: '0x1' },
      ] as const) {
        const out = join(folder, 'pin.txt');
        await executor
          .start(bash('grep Cpus_allowed_list /proc/self/status', { pinning, stdoutFile: out }), idle)
          .wait();
        assert.match(readFileSync(out, 'utf8'), /:\s0\n$/);
      }
    });
  });
}

/** Another process starts the command, tells its ref, and is killed as soon as the command has printed something. */
async function startedByTheDead(id: string, command: Command): Promise<string> {
  const module = new URL(`../../../src/executors/adapters/${id}/${id}.js`, import.meta.url).href;
  const script = `const { default: executor } = await import(process.argv[1]);
    const execution = executor.start(
      { ...JSON.parse(process.argv[2]), onOutput: () => console.log('printed') }, new AbortController().signal);
    console.log(await execution.ref);`;
  const args = ['--input-type=module', '-e', script, module, JSON.stringify(command)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('printed\n')) child.kill('SIGKILL');
  }
  return text.split('\n')[0] ?? '';
}

/** Process numbers mean something else inside a container: what is started is known by its environment. */
function markedEnv(mark: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', MARK: `${mark}-${process.pid}` };
}

/** Names of the living processes that carry the mark. */
function marked(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        if (!entries.includes(`MARK=${mark}-${process.pid}`) || /\) [ZX] /.test(stat)) return [];
        return [basename(readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[0] ?? '')];
      } catch {
        return []; // gone meanwhile
      }
    });
}
