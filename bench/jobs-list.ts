// How long lists and searches over many jobs take, in this process and through the program from its start to its end: in the
// embedded queue, against reading all documents, and in a PostgreSQL that is started for it. Time on the clock and of the
// processor (ours; in PostgreSQL most passes in the server); medians, and the least of all rounds, as other programs only add.
// Judged is the least, of the processor's time of the embedded queue and of the clock's with PostgreSQL. Exit code 1 when an aim is missed.
// Usage: node dist/bench/jobs-list.js [jobs] [--binary | --process] [--sqlite | --postgres]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { homeLayout } from '../src/home/core/home-layout.ts';
import { saveFacts } from '../src/jobs/adapters/queues/job-rows.ts';
import openPostgresQueue, { queueAddress } from '../src/jobs/adapters/queues/postgres/postgres.ts';
import { PostgresDatabase } from '../src/jobs/adapters/queues/postgres/postgres-database.ts';
import type { Database } from '../src/jobs/adapters/queues/sql-database.ts';
import openSqliteQueue from '../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { SqliteDatabase } from '../src/jobs/adapters/queues/sqlite/sqlite-database.ts';
import type { JobQuery, JobQueue } from '../src/jobs/core/job-queue.ts';
import { parseSearch, parseWhere } from '../src/jobs/core/search/parse-search.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { EXPRESSIONS } from './jobs-list/expressions.ts';
import { factsOf, idOf, jobOf } from './jobs-list/made-jobs.ts';

const words = process.argv.slice(2);
const JOBS = Number(words.find((word) => /^\d+$/.test(word)) ?? 100_000);
const BATCH = 1_000;
const ROUNDS = 5;
const AIM_MS = 300;

const QUERIES: Readonly<Record<string, Omit<JobQuery, 'limit'>>> = {
  'newest 100': {},
  'status FAILED': { status: 'FAILED' },
  'status QUEUE': { status: 'QUEUE' },
  'user and experiment': { user: 'user-3', experiment: 'sweep-13' },
  'text, 10 matches': searchFor('needle'),
  'pattern, 10 matches': searchFor('^nee.*[0-9]$'),
  'pattern without a text': searchFor('^[m-n][d-f]+'),
};

let home = '';
let server: PostgresServer | undefined;
let missed = 0;
if (!words.includes('--postgres')) await measureAll();
if (!words.includes('--sqlite')) {
  server = await PostgresServer.start();
  await measureAll();
}
if (missed > 0) process.exitCode = 1;

async function measureAll(): Promise<void> {
  console.log(server === undefined ? 'The embedded queue' : 'PostgreSQL');
  home = mkdtempSync(join(tmpdir(), 'nightmark-bench-jobs-'));
  try {
    const place = server?.url('jobs') ?? homeLayout(home).jobs;
    await fill(place);
    if (!words.includes('--binary')) await measureQueue(place);
    if (!words.includes('--process')) measureBinary(place);
  } finally {
    server?.remove();
    rmSync(home, { recursive: true });
  }
}

function openQueue(place: string): Promise<JobQueue> {
  return server === undefined ? openSqliteQueue({ place }) : openPostgresQueue({ place });
}

async function openDatabase(place: string): Promise<Database> {
  if (server === undefined) return SqliteDatabase.open(place);
  const address = queueAddress(place, {});
  const pool = new pg.Pool({ connectionString: address.connection });
  return new PostgresDatabase({ pool, address, reconnectMs: 0, notify: () => {} });
}

async function measureQueue(place: string): Promise<void> {
  const queue = await openQueue(place);
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
  if (server === undefined) mkdirSync(dirname(place), { recursive: true });
  const start = performance.now();
  const queue = await openQueue(place);
  for (let first = 0; first < JOBS; first += BATCH) {
    await queue.submit(
      Array.from({ length: Math.min(BATCH, JOBS - first) }, (_, at) => jobOf(first + at, JOBS)),
    );
  }
  await failSome(queue);
  await queue.close();
  await endMost(place);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  server?.sql('VACUUM ANALYZE'); // as it does by itself after a minute
  const size = server ? '' : `, ${(statSync(place).size / 1024 ** 2).toFixed(0)} MiB`;
  console.log(`${JOBS} jobs made in ${seconds} s${size}`);
}

/** As if nine of ten had run, without running them. */
async function endMost(place: string): Promise<void> {
  const database = await openDatabase(place);
  for (let first = 0; first < JOBS * 0.9; first += BATCH) {
    await database.atomically(async (session) => {
      for (let n = first; n < Math.min(first + BATCH, JOBS); n++) {
        const changed = await session.rows(
          `UPDATE jobs SET status = 'FINISHED', open = 0 WHERE id = $1 AND status = 'CREATED' RETURNING id`,
          [idOf(n)],
        );
        if (changed.length > 0) await saveFacts(session, idOf(n), factsOf(n, JOBS));
      }
    });
  }
  await database.close();
}

/** What a search costs that reads every document. */
async function readAll(place: string): Promise<number> {
  const database = await openDatabase(place);
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
  const rounds: Spent[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const before = process.cpuUsage();
    found = (await queue.list({ ...query, limit: 100 })).length;
    rounds.push({ cpu: cpuMs(before), wall: performance.now() - start });
  }
  const ratio = median(rounds.map(({ cpu }) => cpu)) / peer;
  tell(what, rounds, { aim: AIM_MS, more: `${found} found, ${ratio.toFixed(3)} of the peer` });
}

/** Milliseconds. */
interface Spent {
  readonly cpu: number;
  readonly wall: number;
}

/** Through the program, from its start to its end. */
function measureBinary(place: string): void {
  if (server !== undefined) process.env['NIGHTMARK_POSTGRES_URL'] = place;
  const where = ['--home', home, ...(server === undefined ? [] : ['--postgres'])];
  const lists = [
    [],
    ['--status', 'FAILED'],
    ['--name', '^needle'],
    ['--name', '^[m-n][d-f]+'],
    ['--search', 'needle'],
    ...EXPRESSIONS.map((text) => ['--where', text]),
  ];
  for (const list of lists) {
    const args = ['job', 'list', ...where, '--json', ...list];
    const rounds = Array.from({ length: ROUNDS }, () => spentBy(args));
    tell(['list', ...list].join(' '), rounds, { aim: AIM_MS, more: '' });
  }
  spentBy(['job', 'list', ...where, '--json', '--limit', '0'], '--max-old-space-size=64');
  console.log('list --limit 0 --json: all of them, with 64 MiB of memory for objects');
}

function spentBy(args: readonly string[], ...node: readonly string[]): Spent {
  const main = join(import.meta.dirname, '../src/cli/nightmark.cjs');
  const script = 'TIMEFORMAT="%U %S %R"; time "$@" > /dev/null';
  const run = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...node, main, ...args], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`nightmark ${args.join(' ')} failed:\n${run.stderr}`);
  const last = run.stderr.trim().split('\n').at(-1) ?? '';
  const [user = 0, system = 0, real = 0] = last.split(' ').map(Number);
  return { cpu: (user + system) * 1000, wall: real * 1000 };
}

function tell(
  what: string,
  rounds: readonly Spent[],
  { aim, more }: { readonly aim: number; readonly more: string },
): void {
  const [cpu, wall] = [rounds.map((it) => it.cpu), rounds.map((it) => it.wall)];
  const isMissed = Math.min(...(server === undefined ? cpu : wall)) > aim;
  if (isMissed) missed++;
  const shown = (name: string, times: readonly number[]) =>
    `${name} ${median(times).toFixed(0).padStart(4)} ms, least ${Math.min(...times)
      .toFixed(0)
      .padStart(4)}`;
  const verdict = isMissed ? `MISSED ${aim} ms` : 'good';
  console.log([what.padEnd(66), shown('CPU', cpu), shown('wall', wall), verdict, more].join('  ').trimEnd());
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

function searchFor(text: string): Pick<JobQuery, 'search'> {
  const search = parseSearch(text);
  return search ? { search } : {};
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
