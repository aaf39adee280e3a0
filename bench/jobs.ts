// How much the embedded queue costs beyond starting a process. Run: node dist/bench/jobs.js [jobs] [rounds]
// Ours: submit no-op jobs, run them by two slots of one worker. Peer: a plain loop of two spawns at once. In turns.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import openQueue from '../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { type JobSpec, jobIds } from '../src/jobs/core/job.ts';
import type { JobQueue } from '../src/jobs/core/job-queue.ts';

const MAIN = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const jobs = Number(process.argv[2] ?? 1_000);
const rounds = Number(process.argv[3] ?? 3);
const LATENCIES = 50;

for (let round = 0; round < rounds; round++) {
  const turns = [() => ours(jobs), () => peer(jobs)];
  const [own, other] = round % 2 === 0 ? turns : turns.reverse();
  const first = await own?.();
  const second = await other?.();
  const [mine, theirs] = round % 2 === 0 ? [first, second] : [second, first];
  console.log(
    `round ${round + 1}: ${perSecond(mine)} jobs/s, plain loop ${perSecond(theirs)} processes/s, ` +
      `${((((mine ?? 0) - (theirs ?? 0)) / jobs) * 1000).toFixed(2)} ms more a job`,
  );
}
await latency();

function perSecond(seconds: number | undefined): string {
  return (jobs / (seconds ?? Number.NaN)).toFixed(0);
}

async function ours(count: number): Promise<number> {
  return withHome(async (home, queue) => {
    await queue.submit(specs(count, ['true']));
    const worker = startWorker(home, '--once');
    // The start of Node is no cost of a job: from the first that began to the last that ended.
    await ended(worker);
    const all = await queue.list({ limit: count });
    const begun = Math.min(...all.map(({ startedAt }) => startedAt ?? Number.NaN));
    const last = Math.max(...all.map(({ endedAt }) => endedAt ?? Number.NaN));
    return (last - begun) / 1000;
  });
}

async function peer(count: number): Promise<number> {
  const begun = performance.now();
  let left = count;
  const lane = async () => {
    while (left-- > 0) await ended(spawn('true', { stdio: ['ignore', 'pipe', 'pipe'] }));
  };
  await Promise.all([lane(), lane()]);
  return (performance.now() - begun) / 1000;
}

/** From the call that submits to the first thing the program does, with a worker that waits. */
async function latency(): Promise<void> {
  await withHome(async (home, queue) => {
    const worker = startWorker(home);
    const file = join(home, 'started');
    const waits: number[] = [];
    await sleep(3_000);
    for (let at = 0; at < LATENCIES; at++) {
      const before = Date.now();
      await queue.submit(specs(1, ['sh', '-c', `date +%s%N > ${file}-${at}`]));
      for (;;) {
        await sleep(20);
        const text = readIfThere(`${file}-${at}`);
        if (!text.endsWith('\n')) continue;
        waits.push(Number(BigInt(text.trim()) / 1000n) / 1000 - before);
        break;
      }
      await sleep(100 + 37 * (at % 10));
    }
    worker.kill('SIGTERM');
    await ended(worker);
    waits.sort((a, b) => a - b);
    const share = (part: number) => waits[Math.floor(part * (waits.length - 1))]?.toFixed(0);
    console.log(`submit to start: median ${share(0.5)} ms, 90 % ${share(0.9)} ms, longest ${share(1)} ms`);
  });
}

async function withHome<T>(work: (home: string, queue: JobQueue) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-bench-jobs-'));
  const queue = await openQueue({ place: join(home, '.nightmark/jobs.db') });
  try {
    return await work(home, queue);
  } finally {
    await queue.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function startWorker(home: string, ...words: readonly string[]): ChildProcess {
  const args = [MAIN, 'job', 'work', '--home', home, '--slots', '2', ...words];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] });
}

function specs(count: number, argv: readonly [string, ...string[]]): readonly JobSpec[] {
  const now = Date.now();
  const next = jobIds(now, () => Math.floor(Math.random() * 2 ** 32));
  return Array.from({ length: count }, () => ({
    ...{ id: next(), user: 'u', project: 'p', experiment: 'e', name: 'n', createdAt: now },
    program: { type: 'command', argv } as const,
    ...{
      overrides: {},
      workers: 1,
      priority: 1,
      executor: 'process',
      resources: {},
      place: {},
      env: {},
      after: [],
    },
    retries: 0,
  }));
}

function ended(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('close', resolve));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
