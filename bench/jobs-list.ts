// How long a list and a search over many jobs take in the embedded queue.
// Usage: node dist/bench/jobs-list.js [jobs]
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openSqliteQueue from '../src/adapters/queues/sqlite/index.ts';
import { parseSearch, parseWhere } from '../src/core/jobs/search/parse-search.ts';
import type { JobSpec } from '../src/core/model/job.ts';
import type { JobQuery, JobQueue } from '../src/core/ports/job-queue.ts';

const JOBS = Number(process.argv[2] ?? 100_000);
const BATCH = 1_000;
const ROUNDS = 5;
const AIM_MS = 300;
const MODELS = ['resnet18', 'resnet50', 'vgg11', 'vit-small'];

const QUERIES: Readonly<Record<string, Omit<JobQuery, 'limit'>>> = {
  'newest 100': {},
  'status FAILED': { status: 'FAILED' },
  'status QUEUE': { status: 'QUEUE' },
  'user and experiment': { user: 'user-3', experiment: 'sweep-13' },
  'text, 10 matches': searchFor('needle'),
  'pattern, 10 matches': searchFor('^nee.*[0-9]$'),
  'expression, 10 matches': { search: parseWhere('lr > 0.99989') },
  'expression, 2 keys': { search: parseWhere("model == 'vgg11' and seed == 4242") },
  'expression, or and text': { search: parseWhere("seed == 7 or note.startsWith('x')") },
  'expression, a field': { search: parseWhere("status == 'FAILED' and seed < 50") },
};

const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-jobs-'));
try {
  const place = join(root, 'jobs.db');
  const queue = await openSqliteQueue({ place });
  const start = performance.now();
  for (let first = 0; first < JOBS; first += BATCH) {
    await queue.submit(Array.from({ length: Math.min(BATCH, JOBS - first) }, (_, at) => jobOf(first + at)));
  }
  await failSome(queue);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${JOBS} jobs submitted in ${seconds} s, ${(statSync(place).size / 1024 ** 2).toFixed(0)} MiB`);
  for (const [what, query] of Object.entries(QUERIES)) await measure(queue, what, query);
  await measureClaims(queue);
  await queue.close();
} finally {
  rmSync(root, { recursive: true });
}

async function measure(queue: JobQueue, what: string, query: Omit<JobQuery, 'limit'>): Promise<void> {
  const times: number[] = [];
  const cpu: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const before = process.cpuUsage();
    found = (await queue.list({ ...query, limit: 100 })).length;
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
    times.push(performance.now() - start);
  }
  const [wall, used] = [median(times), median(cpu)];
  console.log(
    `${what.padEnd(26)} ${String(found).padStart(3)} found  median ${wall.toFixed(0).padStart(4)} ms, ${used.toFixed(0).padStart(4)} ms of CPU${used > AIM_MS ? '  (above the aim)' : ''}`,
  );
}

async function measureClaims(queue: JobQueue): Promise<void> {
  const worker = { host: 'bench', pid: process.pid, incarnation: '' };
  const COUNT = 300;
  const start = process.cpuUsage();
  for (let count = 0; count < COUNT; count++) await queue.claim({ worker, executors: ['process'] });
  const { user, system } = process.cpuUsage(start);
  console.log(`claim: ${((user + system) / 1000 / COUNT).toFixed(2)} ms of CPU each`);
}

async function failSome(queue: JobQueue): Promise<void> {
  const worker = { host: 'bench', pid: process.pid, incarnation: '' };
  for (let count = 0; count < 200; count++) {
    const claim = await queue.claim({ worker, executors: ['process'] });
    if (claim) await queue.end(claim, { status: 'FAILED', exception: 'ValueError()' });
  }
}

function jobOf(n: number): JobSpec {
  const needle = n % Math.ceil(JOBS / 10) === 5;
  return {
    id: n.toString(16).padStart(24, '0'),
    user: `user-${n % 7}`,
    project: 'bench',
    experiment: `sweep-${n % 50}`,
    name: needle ? `needle-${n}` : `train-${n}`,
    program: { type: 'script', path: 'train.py' },
    overrides: {
      lr: ((n * 7919) % JOBS) / JOBS,
      model: MODELS[n % MODELS.length] ?? '',
      seed: n % 5_000,
      epochs: 90,
      batch_size: 2 ** (n % 8),
      optimizer: { name: 'sgd', momentum: 0.9 },
      amp: n % 2 === 0,
      note: `run number ${n} of the bench`,
      dataset: 'imagenet',
      layers: [64, 128, 256],
    },
    workers: 1,
    priority: n % 3,
    executor: 'process',
    resources: {},
    place: {},
    env: {},
    after: [],
    retries: 0,
    createdAt: 1_700_000_000_000 + n * 1000,
  };
}

function searchFor(text: string): Pick<JobQuery, 'search'> {
  const search = parseSearch(text);
  return search ? { search } : {};
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
