import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { makeSampleHome, nightId } from '../../../test/sample-home.ts';
import { nodeContext } from '../../cli/node-context.ts';
import { runCli } from '../../cli/run-cli.ts';
import type { Overview } from '../../dashboard/app/home/read-overview.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import type { CliContext } from '../../platform/cli/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-serve-'));
const home = join(folder, 'home');
const { context: real, dispose } = nodeContext(process);
dispose();
const started: AbortController[] = [];

// A test that fails half-way must not leave a server behind.
afterEach(() => {
  for (const abort of started.splice(0)) abort.abort();
});
before(() => makeSampleHome(home, 3));
after(() => rmSync(folder, { recursive: true }));

test('prints its address, answers there, and ends cleanly', async () => {
  const serving = await serve([home, '--port', '0']);
  assert.match(serving.stdout(), new RegExp(`^Serving ${home} at http://127\\.0\\.0\\.1:\\d+/\\n$`));
  const response = await fetch(serving.address);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /<script type="module"/);
  const { last } = await overview(serving.address);
  assert.equal(last?.experiments.succeeded, 4);
  assert.equal(await serving.stop(), 0);
  await assert.rejects(fetch(serving.address));
});

test('raw requests reach no file outside of its folder, and no page without a name', async () => {
  const serving = await serve([home, '--port', '0']);
  const port = Number(new URL(serving.address).port);
  for (const path of [
    'graph/sort/../../../../nightmark.yml',
    'graph/%2e%2e/%2e%2e/x',
    'graph/sort/..%2f..%2fx',
  ]) {
    const answer = await rawRequest(port, `GET /files/${path} HTTP/1.1\r\nHost: localhost\r\n`);
    assert.match(answer, /^HTTP\/1\.1 404 /, path);
    assert.ok(!answer.includes('project: sample'));
  }
  assert.match(await rawRequest(port, 'GET / HTTP/1.0\r\n'), /^HTTP\/1\.1 421 /);
  assert.match(await rawRequest(port, 'GET /%zz HTTP/1.1\r\nHost: localhost\r\n'), /^HTTP\/1\.1 400 /);
  const huge = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n`;
  assert.match(await rawRequest(port, huge), /^HTTP\/1\.1 431 /);
  assert.equal(await serving.stop(), 0);
});

test('an index that is replaced while it serves is seen', async () => {
  const moving = join(folder, 'moving');
  mkdirSync(moving);
  const serving = await serve([moving, '--port', '0']);
  assert.equal((await overview(serving.address)).runCount, 0);
  await makeSampleHome(moving, 1);
  assert.equal((await overview(serving.address)).runCount, 1);
  await makeSampleHome(join(folder, 'other'), 2);
  for (const end of ['-wal', '-shm']) rmSync(join(moving, `.nightmark/index.db${end}`), { force: true });
  renameSync(join(folder, 'other/.nightmark/index.db'), join(moving, '.nightmark/index.db'));
  assert.equal((await fetch(`${serving.address}api/runs/${nightId(1)}`)).status, 200);
  assert.equal(await serving.stop(), 0);
});

test('a home with results but no index gets one', async () => {
  const copied = join(folder, 'copied');
  mkdirSync(join(copied, 'results/experiments/data/alpha'), { recursive: true });
  const data = '{"timestamp": "01-05-2026-0307", "cpu": {"A": 0.5}}';
  writeFileSync(join(copied, 'results/experiments/data/alpha/data_01-05-2026-0307.json'), data);
  const serving = await serve([copied, '--port', '0']);
  const { last, experiments } = await overview(serving.address);
  assert.deepEqual([last?.run.origin, last?.experiments.succeeded], ['imported', 1]);
  assert.deepEqual(experiments[0]?.values[0]?.values, [0.5]);
  assert.equal(await serving.stop(), 0);
});

test('a night that was killed is shown as interrupted', async () => {
  const killed = join(folder, 'killed');
  await makeSampleHome(killed, 1);
  const store = await openSqliteStore(join(killed, '.nightmark/index.db'));
  const run = await store.run(nightId(0));
  assert.ok(run);
  await store.saveRun({ ...run, state: 'running' });
  store.close();
  const serving = await serve([killed, '--port', '0']);
  assert.equal((await overview(serving.address)).last?.run.state, 'interrupted');
  assert.equal(await serving.stop(), 0);
});

test('a port that is taken is named, with a way out', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  const { exitCode, stderr } = await fails([home, '--port', String(port)]);
  other.close();
  assert.equal(exitCode, 1);
  assert.match(stderr, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken\\.[\\s\\S]*--port 0`));
});

test('beyond this machine a token is needed, or --public', async () => {
  const { exitCode, stderr } = await fails([home, '--port', '0', '--host', '0.0.0.0']);
  assert.equal(exitCode, 1);
  assert.match(stderr, /reading needs a token[\s\S]*NIGHTMARK_TOKEN[\s\S]*--public/);
  const open = await serve([home, '--port', '0', '--host', '0.0.0.0', '--public']);
  assert.equal((await fetch(`http://127.0.0.1:${new URL(open.address).port}/`)).status, 200);
  assert.equal(await open.stop(), 0);
});

test('a token file must be private and long enough', async () => {
  const file = join(folder, 'token');
  writeFileSync(file, 'a-token-of-some-length\n');
  chmodSync(file, 0o644);
  const common = [home, '--port', '0', '--host', '0.0.0.0', '--token-file', file];
  assert.match((await fails(common)).stderr, /Others may read .*mode 644[\s\S]*chmod 600/);
  chmodSync(file, 0o600);
  const serving = await serve(common);
  const address = `http://127.0.0.1:${new URL(serving.address).port}/`;
  assert.equal((await fetch(address)).status, 401);
  const headers = { authorization: 'Bearer a-token-of-some-length' };
  assert.equal((await fetch(address, { headers })).status, 200);
  await serving.stop();
  writeFileSync(file, 'short');
  assert.match((await fails(common)).stderr, /has 5 characters/);
  writeFileSync(file, '');
  assert.match((await fails(common)).stderr, /is empty/);
  assert.match(
    (await fails([home, '--token-file', join(folder, 'nothing')])).stderr,
    /There is no token file/,
  );
});

test('says what is wrong with its arguments', async () => {
  assert.match(
    (await fails([join(folder, 'nothing')])).stderr,
    /There is no folder .*nothing[\s\S]*nightmark init/,
  );
  for (const port of ['http', '70000', '-1', '1.5', '']) {
    const { exitCode, stderr } = await fails([home, `--port=${port}`]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /invalid port: /);
  }
  assert.match(
    (await fails([home, '--port', '0', '--host', '192.0.2.1', '--public'])).stderr,
    /has no address/,
  );
});

async function overview(address: string): Promise<Overview> {
  return (await fetch(`${address}api/experiments`)).json() as Promise<Overview>;
}

async function fails(args: readonly string[]) {
  const { context, stderr } = testContext();
  return { exitCode: await runCli(['serve', ...args], context), stderr: stderr.join('') };
}

async function serve(args: readonly string[]) {
  const { context, abort, stdout, stderr } = testContext();
  const ending = runCli(['serve', ...args], context);
  while (stdout.length === 0) {
    const early = await Promise.race([
      ending,
      new Promise<undefined>((done) => setTimeout(() => done(undefined), 20)),
    ]);
    if (early !== undefined) throw new Error(stderr.join(''));
  }
  const address = /at (\S+)\n/.exec(stdout.join(''))?.[1] ?? '';
  const stop = () => {
    abort.abort();
    return ending;
  };
  return { address, stop, stdout: () => stdout.join('') };
}

function testContext() {
  const abort = new AbortController();
  started.push(abort);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const output = (lines: string[]) => ({ ...real.stdout, write: (text: string) => void lines.push(text) });
  const { NIGHTMARK_TOKEN: _, ...env } = real.env;
  const context: CliContext = {
    ...real,
    env,
    signal: abort.signal,
    stdout: output(stdout),
    stderr: output(stderr),
  };
  return { context, abort, stdout, stderr };
}

function rawRequest(port: number, head: string): Promise<string> {
  return new Promise((done, failed) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}Connection: close\r\n\r\n`));
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', () => done(answer));
    // A server that refuses early may reset the connection after its answer.
    socket.on('error', (error) => answer === '' && failed(error));
  });
}
