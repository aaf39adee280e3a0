// Both servers as real processes on folders of their own, taken the same way.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBinary } from '../../test/support/binary.ts';
import { freePort } from '../../test/support/real-server.ts';
import { freeUdpPort } from '../../test/support/udp.ts';

export const DATABASE = 'nightmark';

export interface Server {
  readonly port: number;
  readonly udpPort: number;
  /** The most memory it had, in MiB. */
  peakMemory(): number;
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: 'nightmark' | 'influxd';
  start(folder: string): Promise<Server>;
  /** Folders with what it keeps of points. */
  readonly dataFolders: readonly string[];
}

export const nightmark: Contender = {
  name: 'nightmark',
  dataFolders: ['.nightmark/points'],
  async start(folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'nightmark.yml'), 'experiments: {}\n');
    const [port, udpPort] = [await freePort(), await freeUdpPort()];
    const child = startBinary(['serve', folder, '--port', `${port}`, '--udp-port', `${udpPort}`]);
    return running(child, port, udpPort);
  },
};

export const influxd: Contender = {
  name: 'influxd',
  dataFolders: ['data', 'wal'],
  async start(folder) {
    mkdirSync(folder, { recursive: true });
    const [port, udpPort] = [await freePort(), await freeUdpPort()];
    writeFileSync(join(folder, 'influx.conf'), await influxConfig(folder, port, udpPort));
    const child = spawn('influxd', ['-config', join(folder, 'influx.conf')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return running(child, port, udpPort);
  },
};

/** As it comes, but for short waits before it compacts: what is at rest is compared. */
async function influxConfig(folder: string, port: number, udpPort: number): Promise<string> {
  return `reporting-disabled = true
bind-address = "127.0.0.1:${await freePort()}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
  cache-snapshot-write-cold-duration = "1s"
  compact-full-write-cold-duration = "1s"
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
[[udp]]
  enabled = true
  bind-address = "127.0.0.1:${udpPort}"
  database = "${DATABASE}"
  read-buffer = 8388608
`;
}

async function running(child: ChildProcess, port: number, udpPort: number): Promise<Server> {
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => said.push(String(part)));
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/ping`).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    assert.ok(child.exitCode === null && tries < 300, said.join('').slice(-2000));
    await sleep(100);
  }
  return {
    port,
    udpPort,
    peakMemory: () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'close');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/**
 * Bytes that the files of a contender take on disk. Not counted is InfluxDB's index of series: its files are laid out in
 * advance, and would make up most of a small run.
 */
export function bytesAtRest({ dataFolders }: Contender, folder: string): number {
  let bytes = 0;
  for (const name of dataFolders) {
    for (const entry of readdirSync(join(folder, name), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.includes('_series')) continue;
      // Files of a server that works come and go.
      const found = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
      bytes += found ? Math.min(found.size, found.blocks * 512) : 0;
    }
  }
  return bytes;
}

/** Waits until nothing is written any more: compactions are over. */
export async function settled(contender: Contender, folder: string): Promise<void> {
  for (let quiet = 0, before = -1; quiet < 10; ) {
    await sleep(1000);
    const now = bytesAtRest(contender, folder);
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}
