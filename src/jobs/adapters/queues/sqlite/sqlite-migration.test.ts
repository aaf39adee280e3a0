import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import Sqlite from 'libsql';
import { parseSearch, parseWhere } from '../../../core/search/parse-search.ts';
import openSqliteQueue from './sqlite.ts';

/** The tables as the first form had them, and what the second added: written here, not taken from the code. */
const FIRST_FORM = `
  CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY, created_at REAL NOT NULL, user_name TEXT NOT NULL, project TEXT NOT NULL,
    experiment TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, sweep TEXT NOT NULL, executor TEXT NOT NULL,
    package TEXT NOT NULL, workers INTEGER NOT NULL, priority REAL NOT NULL, status TEXT NOT NULL, attempt INTEGER NOT NULL,
    lost INTEGER NOT NULL, registered INTEGER NOT NULL, blockers INTEGER NOT NULL, open INTEGER NOT NULL,
    not_before REAL NOT NULL, heartbeat_at REAL, config TEXT NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id, not_before, project) WHERE open > 0;
  CREATE INDEX jobs_by_age ON jobs (created_at DESC, id DESC, project, experiment, name, user_name, sweep, description);
  CREATE INDEX jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX jobs_by_package ON jobs (package) WHERE package <> '';
  CREATE TABLE job_documents (id TEXT NOT NULL PRIMARY KEY, spec TEXT NOT NULL, facts TEXT NOT NULL) STRICT;
  CREATE TABLE job_ranks (
    job_id TEXT NOT NULL, rank INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, incarnation TEXT NOT NULL,
    heartbeat_at REAL NOT NULL, ref TEXT, done INTEGER NOT NULL, PRIMARY KEY (job_id, rank)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE job_arrivals (
    job_id TEXT NOT NULL, barrier TEXT NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (job_id, barrier, rank)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE job_after (
    job_id TEXT NOT NULL, after_id TEXT NOT NULL, PRIMARY KEY (job_id, after_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_after_by_after ON job_after (after_id);
  CREATE TABLE job_logs (
    job_id TEXT NOT NULL, number INTEGER NOT NULL, is_tail INTEGER NOT NULL, size INTEGER NOT NULL,
    entries INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (job_id, number)
  ) STRICT;
  CREATE TABLE job_log_sizes (
    job_id TEXT NOT NULL PRIMARY KEY, next_number INTEGER NOT NULL, head INTEGER NOT NULL, tail INTEGER NOT NULL,
    left_out INTEGER NOT NULL
  ) STRICT;
`;
const SECOND_FORM = `
  ALTER TABLE jobs ADD COLUMN search_spec TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE jobs ADD COLUMN search_facts TEXT NOT NULL DEFAULT '{}';
  UPDATE jobs SET search_spec = '{"createdAt":1800000000000,"script":"train.py"}';
`;
/** Filled with what is wrong: it is read anew from the documents. */
const THIRD_FORM = `
  ALTER TABLE jobs ADD COLUMN searched_spec BLOB NOT NULL DEFAULT x'0c';
  ALTER TABLE jobs ADD COLUMN searched_config BLOB NOT NULL DEFAULT x'0c';
  ALTER TABLE jobs ADD COLUMN searched_facts BLOB NOT NULL DEFAULT x'0c';
`;
const JOBS = 700;

describe('jobs of an older form', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-old-jobs-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const form of [1, 2, 3]) {
    test(`of form ${form} are all there, are found, and can be claimed`, async () => {
      const place = join(folder, `jobs-${form}.db`);
      writeOld(place, form);
      for (const opening of ['first', 'second']) {
        const queue = await openSqliteQueue({ place });
        assert.equal(await queue.count({}), JOBS, opening);
        const found = async (text: string) => queue.count({ search: parseWhere(text) });
        assert.equal(await found('lr == 0.5 and optimizer.name == "sgd"'), 1);
        assert.equal(await found("script == 'train.py'"), JOBS);
        assert.equal(await found('metric.loss < 0.1 and state.epoch == 3'), 70);
        assert.equal(await found("annotations.note ~ '^good' and duration > 1"), 70);
        assert.equal(await queue.count({ search: parseSearch('job-69.') ?? assert.fail() }), 10);
        await queue.close();
      }
      const queue = await openSqliteQueue({ place });
      const worker = { host: 'here', pid: 1, incarnation: '' };
      const claim = await queue.claim({ worker, executors: ['process'] });
      assert.deepEqual(claim?.job.config, { lr: 0.001, optimizer: { name: 'sgd' } });
      assert.equal(await queue.report(claim, { config: { lr: 77 } }), true);
      assert.equal(await queue.count({ search: parseWhere('lr == 77') }), 1);
      assert.equal((await queue.delete([claim.jobId])).length, 1);
      await queue.close();
      const sqlite = new Sqlite(place);
      for (const table of [
        'jobs',
        'job_documents',
        ...['spec', 'config', 'facts'].map((it) => `job_searched_${it}`),
      ]) {
        assert.deepEqual(
          sqlite.prepare(`SELECT count(*) AS n FROM ${table}`).raw().get([]),
          [JOBS - 1],
          table,
        );
      }
      sqlite.close();
    });
  }
});

function writeOld(place: string, form: number): void {
  const sqlite = new Sqlite(place);
  sqlite.exec('PRAGMA journal_mode = WAL');
  sqlite.exec(FIRST_FORM);
  const job = sqlite.prepare(
    `INSERT INTO jobs VALUES (?, ?, 'ann', 'vision', 'sweep', ?, '', '', 'process', '', 1, 0, ?, 1, 0, 0, 0, ?, 0, NULL, ?)`,
  );
  const documents = sqlite.prepare('INSERT INTO job_documents VALUES (?, ?, ?)');
  sqlite.exec('BEGIN');
  for (let n = 0; n < JOBS; n++) {
    const [id, createdAt, isDone] = [n.toString(16).padStart(24, '0'), 1_800_000_000_000 + n, n % 10 === 0];
    const overrides = { lr: n / 1000, optimizer: { name: 'sgd' } };
    const spec = {
      ...{ id, user: 'ann', project: 'vision', experiment: 'sweep', name: `job-${n}`, overrides, createdAt },
      ...{ program: { type: 'script', path: 'train.py' }, workers: 1, priority: 0, executor: 'process' },
      ...{ resources: {}, place: {}, env: {}, after: [], retries: 0 },
    };
    job.run([
      ...[id, createdAt, `job-${n}`, isDone ? 'FINISHED' : 'CREATED', isDone ? 0 : 1],
      JSON.stringify(overrides),
    ]);
    documents.run([id, JSON.stringify(spec), JSON.stringify(factsOf(isDone))]);
  }
  sqlite.exec('COMMIT');
  if (form === 2) sqlite.exec(SECOND_FORM);
  if (form === 3) sqlite.exec(THIRD_FORM);
  sqlite.exec(`PRAGMA user_version = ${form}`);
  sqlite.close();
}

function factsOf(isDone: boolean): object {
  const none = { state: {}, annotations: {}, images: {}, timings: [], metrics: [], environment: {} };
  if (!isDone) return none;
  return {
    ...none,
    ...{ startedAt: 1_800_000_001_000, endedAt: 1_800_000_003_000 },
    ...{ state: { epoch: 3 }, annotations: { note: 'good one' } },
    metrics: [
      { id: 'm', measurement: 'loss', tags: {}, fields: { value: { count: 1, last: 0.01, min: 0, max: 1 } } },
    ],
  };
}
