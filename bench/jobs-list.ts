// How long lists and searches over many jobs take in the embedded queue, against reading all documents, and through the
// binary. Exit code 1 when an aim is missed.
// Usage: node dist/bench/jobs-list.js [jobs] [--binary]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { saveFacts } from '../src/adapters/queues/job-rows.ts';
import { SqliteDatabase } from '../src/adapters/queues/sqlite/connection.ts';
import openSqliteQueue from '../src/adapters/queues/sqlite/index.ts';
import type { JobFacts } from '../src/core/jobs/job-facts.ts';
import { parseSearch, parseWhere } from '../src/core/jobs/search/parse-search.ts';
import type { JobSpec } from '../src/core/model/job.ts';
import { homeLayout } from '../src/core/model/layout.ts';
import type { JobQuery, JobQueue } from '../src/core/ports/job-queue.ts';

const words = process.argv.slice(2);
const JOBS = Number(words.find((word) => /^\d+$/.test(word)) ?? 100_000);
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
  'pattern without a text': searchFor('^[m-n][d-f]+'),
};

/** Few or no matches each: what is found at once needs no search. */
const EXPRESSIONS: readonly string[] = [
  'lr > 0.99989',
  "model == 'vgg11' and seed == 4242",
  "seed == 7 or note.startsWith('x')",
  "status == 'FAILED' and seed < 50",
  'not (lr < 0.9999)',
  'not (amp or epochs == 90) and seed > 9',
  'lr * 2 + seed > 5000.9995',
  "note ~ '^run number [0-9]+7 of a'",
  'optimizer.momentum > 1',
  "layers.includes('x') or batch_size in [3, 5]",
  'starred and seed < 100',
  "annotations.note ~ 'odd [0-9]'",
  'metric.loss < 0.00002',
  'metric.accuracy.max > 0.99998',
  'progress > 0.9 and seed == 3',
  'state.epoch > 99',
  'duration > 99.8',
  'waited > 60 or started < 10',
  "environment.python == '2.7'",
  "exception ~ 'Value' and seed < 20",
  "script == 'test.py' or commit == 'abc'",
  "user == 'user-3' and experiment == 'sweep-13' and lr < 0.001",
];

const home = mkdtempSync(join(tmpdir(), 'nightmark-bench-jobs-'));
let missed = 0;
try {
  const place = homeLayout(home).jobs;
  await fill(place);
  if (words.includes('--binary')) measureBinary();
  else await measureQueue(place);
} finally {
  rmSync(home, { recursive: true });
}
if (missed > 0) process.exitCode = 1;

async function measureQueue(place: string): Promise<void> {
  const queue = await openSqliteQueue({ place });
  const peer = await readAll(place);
  console.log(`${'peer: JSON.parse of all'.padEnd(64)} ${peer.toFixed(0).padStart(5)} ms of CPU`);
  const searches = Object.fromEntries(EXPRESSIONS.map((text) => [text, { search: parseWhere(text) }]));
  for (const [what, query] of Object.entries({ ...QUERIES, ...searches })) {
    await measure(queue, { what, query, peer });
  }
  await measureClaims(queue);
  await queue.close();
}

async function fill(place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const start = performance.now();
  const queue = await openSqliteQueue({ place });
  for (let first = 0; first < JOBS; first += BATCH) {
    await queue.submit(Array.from({ length: Math.min(BATCH, JOBS - first) }, (_, at) => jobOf(first + at)));
  }
  await failSome(queue);
  await queue.close();
  await endMost(place);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${JOBS} jobs made in ${seconds} s, ${(statSync(place).size / 1024 ** 2).toFixed(0)} MiB`);
}

/** As if nine of ten had run, without running them. */
async function endMost(place: string): Promise<void> {
  const database = await SqliteDatabase.open(place);
  for (let first = 0; first < JOBS * 0.9; first += BATCH) {
    await database.atomically(async (session) => {
      for (let n = first; n < Math.min(first + BATCH, JOBS); n++) {
        const changed = await session.rows(
          `UPDATE jobs SET status = 'FINISHED', open = 0 WHERE id = $1 AND status = 'CREATED' RETURNING id`,
          [idOf(n)],
        );
        if (changed.length > 0) await saveFacts(session, idOf(n), factsOf(n));
      }
    });
  }
  await database.close();
}

/** What a search costs that reads every document. */
async function readAll(place: string): Promise<number> {
  const database = await SqliteDatabase.open(place);
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    let last = '';
    for (let count = -1; count !== 0; ) {
      const rows = await database.rows(
        `SELECT j.id, config, spec, facts FROM jobs j JOIN job_documents d ON d.id = j.id
         WHERE j.id > $1 ORDER BY j.id LIMIT 5000`,
        [last],
      );
      for (const row of rows) for (const key of ['config', 'spec', 'facts']) JSON.parse(String(row[key]));
      count = rows.length;
      last = String(rows.at(-1)?.['id'] ?? '');
    }
    times.push(cpuMs(before));
  }
  await database.close();
  return median(times);
}

interface Measured {
  readonly what: string;
  readonly query: Omit<JobQuery, 'limit'>;
  readonly peer: number;
}

async function measure(queue: JobQueue, { what, query, peer }: Measured): Promise<void> {
  const times: number[] = [];
  const cpu: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const before = process.cpuUsage();
    found = (await queue.list({ ...query, limit: 100 })).length;
    cpu.push(cpuMs(before));
    times.push(performance.now() - start);
  }
  const used = median(cpu);
  const ratio = `${(used / peer).toFixed(3)} of the peer`;
  tell(what, `${found} found`, { used, more: `, ${ratio}; ${median(times).toFixed(0)} ms in all` });
}

/** Through the program, from its start to its end. */
function measureBinary(): void {
  const lists = [
    [],
    ['--status', 'FAILED'],
    ['--name', '^needle'],
    ['--name', '^[m-n][d-f]+'],
    ['--search', 'needle'],
    ...EXPRESSIONS.map((text) => ['--where', text]),
  ];
  for (const list of lists) {
    const cpu = Array.from({ length: ROUNDS }, () =>
      cpuOf(['job', 'list', '--home', home, '--json', ...list]),
    );
    tell(['list', ...list].join(' '), '', { used: median(cpu), more: '' });
  }
  cpuOf(['job', 'list', '--home', home, '--json', '--limit', '0'], '--max-old-space-size=64');
  console.log('list --limit 0 --json: all of them, with 64 MiB of memory for objects');
}

function cpuOf(args: readonly string[], ...node: readonly string[]): number {
  const main = join(import.meta.dirname, '../src/cli/main.js');
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null';
  const run = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...node, main, ...args], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`nightmark ${args.join(' ')} failed:\n${run.stderr}`);
  const [user = 0, system = 0] = (run.stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return (user + system) * 1000;
}

function tell(what: string, found: string, { used, more }: { readonly used: number; readonly more: string }) {
  const isMissed = used > AIM_MS;
  if (isMissed) missed++;
  const shown = `${what.padEnd(64)} ${used.toFixed(0).padStart(5)} ms of CPU${more} ${found}`;
  console.log(`${shown.trimEnd()}${isMissed ? '  MISSED' : ''}`);
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
    id: idOf(n),
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

function idOf(n: number): string {
  return n.toString(16).padStart(24, '0');
}

function factsOf(n: number): JobFacts {
  const metric = (measurement: string, last: number) => ({
    ...{ id: `${measurement}-0123456789abcdef`, measurement, tags: { split: 'train', job_id: idOf(n) } },
    fields: { value: { count: 90, last, min: last / 2, max: last } },
  });
  const startedAt = 1_700_000_005_000 + n * 1000;
  return {
    ...{
      scheduledAt: startedAt - 100,
      startedAt,
      endedAt: startedAt + (n % 1000) * 100,
      host: `node-${n % 20}`,
    },
    outputDir: `bench/sweep-${n % 50}/train-${n}`,
    exit: { type: 'code', code: 0 } as never,
    state: { progress: 1, epoch: n % 90 },
    annotations: n % 50 === 0 ? { star: true, note: `an odd one: ${n}` } : {},
    images: { loss: 'loss.png' },
    timings: ['load', 'step', 'save'].map((event) => ({
      event,
      rank: 0,
      mean: 0.1,
      std: 0.01,
      instances: 900,
    })),
    metrics: [metric('loss', ((n * 7919) % JOBS) / JOBS), metric('accuracy', n / JOBS), metric('lr', 0.1)],
    environment: {
      python: '3.12.3',
      platform: 'Linux-6.8',
      cpu: 'EPYC 7763',
      cores: 64,
      executor: 'process',
    },
  };
}

function searchFor(text: string): Pick<JobQuery, 'search'> {
  const search = parseSearch(text);
  return search ? { search } : {};
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
