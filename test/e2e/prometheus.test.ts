import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary, startBinary } from '../support/binary.ts';

const isThere = ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0);
const skip = isThere ? false : 'no Prometheus: "apt install prometheus" brings prometheus and promtool';
if (skip) console.log(`Skipped: ${skip}`);

const WORKLOAD = join(process.cwd(), 'dist/test/support/tiny-kpis.js');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-prometheus-'));
const results = join(folder, 'results');
const children: ChildProcess[] = [];
cpSync('test/golden/matrix/results', results, { recursive: true });
after(async () => {
  for (const child of children) {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
  }
  rmSync(folder, { recursive: true });
});

const kpi = (...options: string[]) => runBinary(['matrix', 'kpi', results, '-w', WORKLOAD, ...options]);

test('promtool reads the metrics, and would only have liked base units', { skip }, async () => {
  const { stdout } = await kpi('--format', 'openmetrics');
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: stdout, encoding: 'utf8' });
  assert.ok(status === 0 || status === 3, stderr);
  const complaints = stderr.split('\n').filter((line) => line !== '' && !line.includes('use base unit'));
  assert.deepEqual(complaints, []);
});

test('values with their times become blocks of a Prometheus', { skip }, async () => {
  const file = join(folder, 'kpis.txt');
  assert.equal((await kpi('--format', 'openmetrics', '--timestamps', '--output', file)).code, 0);
  const blocks = join(folder, 'blocks');
  const made = spawnSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, blocks], {
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  assert.equal(readdirSync(blocks).length, 1);
  // promtool opens nothing that has no write-ahead log.
  mkdirSync(join(blocks, 'wal'));
  const dump = spawnSync('promtool', ['tsdb', 'dump', blocks], { encoding: 'utf8' }).stdout;
  assert.match(
    dump,
    /__name__="tiny_memory_megabytes", model_name="m2", version="1\.13\.0", virtual_users="128"} 9000 1725271200000/,
  );
});

test('a Prometheus scrapes the server of a home', { skip }, async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'nightmark.yml'), 'experiments: {}\n');
  assert.equal((await kpi('--store', home)).code, 0);
  const target = new URL(await serve(home)).host;
  const port = await freePort();
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    `global: {scrape_interval: 1s}\nscrape_configs: [{job_name: n, static_configs: [{targets: ['${target}']}]}]\n`,
  );
  const prometheus = spawn('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  children.push(prometheus);
  const api = `http://127.0.0.1:${port}/api/v1`;
  const query = async (text: string) => {
    const { data } = await ask<Answer>(`${api}/query?query=${encodeURIComponent(text)}`);
    return data.result.map(({ metric, value }) => [metric['model_name'], metric['virtual_users'], value[1]]);
  };
  await until(async () => (await query('tiny_throughput_requests_per_second')).length > 0);
  assert.deepEqual(await query('sort(tiny_throughput_requests_per_second)'), [
    ['m2', '4', '50'],
    ['m1', '4', '100'],
    ['m1', '16', '210'],
    ['m2', '128', '400'],
  ]);
  assert.deepEqual(await query('tiny_samples_milliseconds{stat="p50",model_name="m1",virtual_users="4"}'), [
    ['m1', '4', '2'],
  ]);
  const metadata = await ask<{ data: Record<string, object[]> }>(
    `${api}/metadata?metric=tiny_memory_megabytes`,
  );
  assert.deepEqual(metadata.data['tiny_memory_megabytes'], [
    { type: 'gauge', help: 'Peak memory', unit: 'megabytes' },
  ]);
  const targets = await ask<{ data: { activeTargets: { health: string; lastError: string }[] } }>(
    `${api}/targets`,
  );
  assert.deepEqual(
    targets.data.activeTargets.map(({ health, lastError }) => [health, lastError]),
    [['up', '']],
  );
});

interface Answer {
  readonly data: {
    readonly result: { readonly metric: Record<string, string>; readonly value: [number, string] }[];
  };
}

async function ask<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

/** Until it is so, or does not fail any more; the test's own time limit ends it otherwise. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isSo().catch(() => false)) return;
    await sleep(200);
  }
  assert.fail('Prometheus did not scrape the server within a minute.');
}

async function serve(home: string): Promise<string> {
  const server = startBinary(['serve', home, '--port', '0']);
  children.push(server);
  let text = '';
  for await (const chunk of server.stdout ?? []) {
    text += chunk;
    const address = / at (http:\S+)/.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  return assert.fail(`The server said "${text}".`);
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
