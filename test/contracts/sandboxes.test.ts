import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { MakeSandboxes, SandboxRequest } from '../../src/duet/core/sandbox.ts';
import executor from '../../src/executors/adapters/process/process.ts';
import { readCommandMeasures } from '../../src/executors/core/measured-command.ts';
import { containersNamed, findPodman } from '../support/podman.ts';

const folder = fs.mkdtempSync(join(tmpdir(), 'nightmark-sandboxes-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});
const podman = findPodman();
const env = { ...(process.env as Record<string, string>), ...podman.env };
const idle = new AbortController().signal;

for (const id of fs.readdirSync('src/duet/adapters/sandboxes')) {
  if (!fs.statSync(join('src/duet/adapters/sandboxes', id)).isDirectory()) continue;
  const skip = id === 'container' && podman.skip;
  const url = pathToFileURL(join(process.cwd(), `dist/src/duet/adapters/sandboxes/${id}/${id}.js`)).href;

  describe(`sandboxes ${id}`, { skip }, async () => {
    const { default: make } = (await import(url)) as { default: MakeSandboxes };
    const provider = make({ executor, env });
    let count = 0;
    const request = (more: Partial<SandboxRequest> = {}): SandboxRequest => ({
      name: `nightmark-contract-${process.pid}-${count++}`,
      runId: `contract-${process.pid}`,
      workDir: join(folder, 'work'),
      ...(id === 'container' && { image: 'duet-bash', engine: 'podman' }),
      sharesMemory: false,
      keep: false,
      ...more,
    });
    const bash = (command: string, more: { timeoutMs?: number; graceMs?: number } = {}) => ({
      command,
      env: { COLOUR: 'deep blue' },
      logFile: join(folder, `${id}-${count++}.log`),
      ...more,
    });

    test('is named after its folder', () => assert.equal(provider.id, id));

    test('1: two sandboxes do not see each other, and each gets its environment', async () => {
      const [a, b] = [await provider.open(request(), idle), await provider.open(request(), idle)];
      const command = bash('echo "$COLOUR" | tee here.txt; ls; echo wrong >&2; exit 7');
      const { exit } = await a.run(command, idle).wait();
      assert.deepEqual(exit, { type: 'code', code: 7 });
      assert.match(fs.readFileSync(command.logFile, 'utf8'), /deep blue\n(.*\n)*here\.txt/);
      const look = bash('ls here.txt');
      assert.notDeepEqual((await b.run(look, idle).wait()).exit, { type: 'code', code: 0 });
      await Promise.all([a.close(), b.close()]);
    });

    test('2: a timeout lets a harness write what it has, and ends what does not end', async () => {
      const box = await provider.open(request(), idle);
      const script = `(trap '' TERM; while :; do sleep 0.05; done) &
        bash -c 'trap "sleep 0.3; echo kept > results.txt; exit 0" TERM; while :; do sleep 0.05; done' &
        echo started; wait`;
      const { exit } = await box.run(bash(script, { timeoutMs: 2_000, graceMs: 1_500 }), idle).wait();
      assert.deepEqual(exit, { type: 'timeout', afterMs: 2_000 });
      const left = bash('for p in /proc/[0-9]*; do tr "\\0" " " < $p/cmdline; echo; done 2>/dev/null');
      await box.run(left, idle).wait();
      assert.doesNotMatch(fs.readFileSync(left.logFile, 'utf8'), /trap ".*kept/);
      const target = join(folder, `${id}-kept.txt`);
      await box.fetch('results.txt', target);
      assert.equal(fs.readFileSync(target, 'utf8'), 'kept\n');
      await box.close();
    });

    test('2: cancel and kill end the command', async () => {
      const box = await provider.open(request(), idle);
      const abort = new AbortController();
      const cancelled = box.run(bash('sleep 60'), abort.signal);
      await sleep(400);
      abort.abort();
      assert.deepEqual((await cancelled.wait()).exit, { type: 'cancelled' });
      const killed = box.run(bash('sleep 60'), idle);
      await sleep(400);
      killed.kill();
      assert.deepEqual((await killed.wait()).exit, { type: 'cancelled' });
      await box.close();
    });

    test('3: files and folders come out, also after a failure; what is not there has a name', async () => {
      const box = await provider.open(request(), idle);
      await box
        .run(bash('mkdir -p "out put/deep"; echo 1 > "out put/deep/x"; echo 2 > y; exit 3'), idle)
        .wait();
      await box.fetch('y', join(folder, `${id}-y`));
      await box.fetch('out put', join(folder, `${id}-out`));
      assert.equal(fs.readFileSync(join(folder, `${id}-y`), 'utf8'), '2\n');
      assert.equal(fs.readFileSync(join(folder, `${id}-out/deep/x`), 'utf8'), '1\n');
      await assert.rejects(box.fetch('/no/such/result', join(folder, `${id}-none`)), {
        code: 'DUET_NO_RESULT',
      });
      await assert.rejects(box.fetch('none', join(folder, `${id}-none`)), { code: 'DUET_NO_RESULT' });
      await box.close();
    });

    test('6: a measured command leaves what it took, also after a failure', async () => {
      const box = await provider.open(request(), idle);
      const command = bash(
        'n=$(ls | wc -l); echo $n > count; i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; exit 5',
      );
      const { exit } = await box.run({ ...command, measuresFile: 'measured' }, idle).wait();
      assert.deepEqual(exit, { type: 'code', code: 5 });
      for (const name of ['measured', 'count']) await box.fetch(name, join(folder, `${id}-6-${name}`));
      const text = fs.readFileSync(join(folder, `${id}-6-measured`), 'utf8');
      const { wall = 0, cpu = 0 } = readCommandMeasures(['wall', 'cpu'], text, undefined).measures;
      assert.ok(wall > 0.005 && cpu > 0.005 && cpu < 60, `${wall} ${cpu}`);
      const plain = bash('n=$(ls | wc -l); echo $n > count');
      const other = await provider.open(request(), idle);
      await other.run(plain, idle).wait();
      await other.fetch('count', join(folder, `${id}-6-plain`));
      assert.equal(
        fs.readFileSync(join(folder, `${id}-6-count`), 'utf8'),
        fs.readFileSync(join(folder, `${id}-6-plain`), 'utf8'),
      );
      await Promise.all([box.close(), other.close()]);
    });

    test('4: closing ends what runs, and may be done twice', async () => {
      const box = await provider.open(request(), idle);
      const running = box.run(bash('sleep 60'), idle);
      await sleep(300);
      await box.close();
      assert.notEqual((await running.wait()).exit.type, 'timeout');
      await box.close();
      await assert.rejects(box.fetch('/etc/hostname-of-nobody', join(folder, 'never')));
    });

    test('5: what a dead run left is removed, and nothing of a living one', async () => {
      const living = await provider.open(request(), idle);
      const wanted = request({ runId: `dead-${process.pid}` });
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', HOLDER, url, JSON.stringify(wanted)],
        {
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      children.push(child);
      await once(child.stdout, 'data');
      const { workDir, engine } = wanted;
      const scope = { workDir, ...(engine !== undefined && { engine }) };
      // Others on this machine may leave containers too: what counts is this one.
      const isThere = () =>
        id === 'container'
          ? containersNamed(wanted.name, podman).length === 1
          : fs.existsSync(join(workDir, wanted.name));
      await provider.endLeftovers(scope);
      assert.ok(isThere(), 'its owner lives');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await provider.endLeftovers(scope);
      assert.ok(!isThere());
      const { exit } = await living.run(bash('true'), idle).wait();
      assert.deepEqual(exit, { type: 'code', code: 0 });
      await living.close();
    });
  });
}

const HOLDER = `
  const { default: make } = await import(process.argv[1]);
  const executor = (await import(new URL('../../../../executors/adapters/process/process.js', process.argv[1]))).default;
  const box = await make({ executor, env: process.env }).open(JSON.parse(process.argv[2]), new AbortController().signal);
  box.run({ command: 'sleep 60', env: {}, logFile: '/dev/null' }, new AbortController().signal);
  setTimeout(() => console.log('open'), 300);
  setInterval(() => {}, 1000);
`;
