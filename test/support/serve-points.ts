import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ForwardStatus } from '../../src/metrics/app/forward-points.ts';
import type { IngestReport } from '../../src/metrics/core/lines/ingest-counters.ts';
import { startBinary } from './binary.ts';

const children: ChildProcess[] = [];

/** Ends what a failed test left. */
export function killServers(): void {
  for (const child of children) child.kill('SIGKILL');
}

export interface ServeOptions {
  /** nightmark.yml. */
  readonly definition?: string;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A real "nightmark serve" on a home of its own, on any free port. */
export async function servePoints(home: string, serving: ServeOptions = {}) {
  const { definition = 'experiments: {}\n', options = [], env = {} } = serving;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'nightmark.yml'), definition);
  const child = startBinary(['serve', home, '--port', '0', ...options], { ...env });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  while (!stdout.includes('\n')) {
    assert.equal(child.exitCode, null, stderr);
    await sleep(20);
  }
  const address = /http:\S+/.exec(stdout)?.[0] ?? '';
  const ingest = async () =>
    (await (await fetch(`${address}api/ingest`)).json()) as IngestReport & {
      readonly forwarding?: readonly ForwardStatus[];
    };
  const write = async (body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${address}write?db=nightmark`, { method: 'POST', body });
  const query = async (q: string) => {
    const search = new URLSearchParams({ db: 'nightmark', epoch: 'ms', q });
    return (await fetch(`${address}query?${search}`, { method: 'POST' })).json();
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const gone = once(child, 'close');
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  return { home, address, ingest, write, query, stop, stderr: () => stderr };
}
