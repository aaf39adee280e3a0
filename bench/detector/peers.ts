import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What one tool found in each series, and the time it took for all of them. */
export interface PeerAnswer {
  readonly found: readonly (readonly number[])[];
  readonly cpu_ms: number;
}

/** Runs otava and asv, as far as this Python has them. */
export function askPeers(python: string, all: readonly Float64Array[]): Readonly<Record<string, PeerAnswer>> {
  const script = fileURLToPath(new URL('../../../bench/peer/detector-peers.py', import.meta.url));
  const input = JSON.stringify(all.map((values) => [...values]));
  const { status, stdout, error } = spawnSync(python, [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (error !== undefined || status !== 0) throw error ?? new Error(`${python} ended with ${status}.`);
  return JSON.parse(stdout) as Record<string, PeerAnswer>;
}
