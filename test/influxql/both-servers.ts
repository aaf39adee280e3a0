import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import openStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import { IngestCounters } from '../../src/metrics/core/lines/ingest-counters.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../src/server/create-server.ts';

export interface BothServers {
  /** A new database on both, with these lines. */
  reset(lines: string): Promise<void>;
  /** The same question to ours and to the real one; JSON bodies. */
  ask(parameters: Record<string, string>): Promise<readonly [ours: unknown, theirs: unknown]>;
  /** Status and text of both. */
  askText(parameters: Record<string, string>, options?: Asking): Promise<readonly [ours: Said, theirs: Said]>;
  close(): Promise<void>;
}

export interface Asking {
  readonly method?: 'GET' | 'POST';
  readonly accept?: string;
}

export interface Said {
  readonly status: number;
  readonly type: string;
  readonly error: string;
  readonly text: string;
}

/** Our server and a real InfluxDB side by side; undefined where there is no influxd. */
export async function openBoth(): Promise<BothServers | undefined> {
  if (spawnSync('influxd', ['version']).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-influxql-'));
  const real = await startInflux(folder);
  const engine = await PointEngine.open(await openStorage(join(folder, 'ours')), { clock: CLOCK });
  const app = createServer(
    { home: folder, isLoopback: true },
    {
      disk: localDisk,
      clock: CLOCK,
      index: { current: async () => undefined },
      report: (line) => console.error(line),
      points: {
        writer: engine,
        reader: engine,
        admin: engine,
        counters: new IngestCounters(),
        keepsNotFinite: false,
        nextTimestamp: () => ({ ms: Date.now(), ns: 0 }),
        packets: async () => ({ isListening: false, lostByKernel: 0 }),
      },
    },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const ours = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`;
  const say = async (
    url: string,
    parameters: Record<string, string>,
    { method = 'GET', accept }: Asking = {},
  ): Promise<Said> => {
    const form = new URLSearchParams({ db: 'd', ...parameters });
    const headers = accept ? { accept } : {};
    const answer =
      method === 'GET'
        ? await fetch(`${url}/query?${form}`, { headers, signal: AbortSignal.timeout(5_000) })
        : await fetch(`${url}/query`, { method, body: form, headers });
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      error: answer.headers.get('x-influxdb-error') ?? '',
      text: await answer.text(),
    };
  };
  return {
    async reset(lines) {
      for (const url of [ours, real.url]) {
        for (const q of ['DROP DATABASE d', 'CREATE DATABASE d']) await say(url, { q }, { method: 'POST' });
        const written = await fetch(`${url}/write?db=d`, { method: 'POST', body: lines });
        if (written.status !== 204) throw new Error(`${url}: ${await written.text()}`);
      }
    },
    ask: async (parameters) => [
      JSON.parse((await say(ours, parameters)).text),
      JSON.parse((await say(real.url, parameters)).text),
    ],
    askText: async (parameters, options) => [
      await say(ours, parameters, options),
      await say(real.url, parameters, options),
    ],
    async close() {
      await app.close();
      await engine.close();
      await real.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const CLOCK = { now: () => Date.now(), sleep: (ms: number) => sleep(ms) };

async function startInflux(folder: string) {
  const [port, rpc] = [await freePort(), await freePort()];
  const config = join(folder, 'influx.conf');
  writeFileSync(
    config,
    `reporting-disabled = true\nbind-address = "127.0.0.1:${rpc}"\n[meta]\ndir = "${folder}/meta"\n[data]\ndir = "${folder}/data"\nwal-dir = "${folder}/wal"\n[monitor]\nstore-enabled = false\n[http]\nbind-address = "127.0.0.1:${port}"\nlog-enabled = false\n`,
  );
  const influx = spawn('influxd', ['-config', config], { stdio: 'ignore' });
  const ended = new Promise((resolve) => influx.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 200; i++) {
    if (
      await fetch(`${url}/ping`).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(100);
  }
  const stop = () => {
    influx.kill();
    return ended;
  };
  return { url, stop };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createSocket().listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as { port: number };
      socket.close(() => resolve(port));
    });
  });
}
