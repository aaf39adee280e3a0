import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import openPostgresQueue from '../../src/jobs/adapters/queues/postgres/postgres.ts';
import { parseWhere } from '../../src/jobs/core/search/parse-search.ts';
import openPostgresShelf from '../../src/metrics/adapters/storages/postgres/postgres.ts';
import { jobId, jobSpec } from '../support/job-specs.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';

describe('the queue on a PostgreSQL that fails', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.remove());

  test('waits for a server that was killed, and has all that was acknowledged', async () => {
    const said: string[] = [];
    const queue = await openPostgresQueue({ place: server.url('jobs'), notify: (line) => said.push(line) });
    await queue.submit([jobSpec(1)]);
    server.down('immediate');
    const worker = { host: 'here', pid: 1, incarnation: '' };
    const claiming = queue.claim({ worker, executors: ['process'] });
    setTimeout(() => server.up(), 300);
    const claim = await claiming;
    assert.equal(claim?.jobId, jobId(1));
    assert.match(said.join('\n'), /is lost; retrying\.\n.*is back\./);
    assert.deepEqual(await queue.heartbeat([claim ?? assert.fail()]), [true]);
    await queue.close();
  });

  for (const layout of [1, 2, 3]) {
    test(`brings tables of layout ${layout} to the one of today, with all jobs`, async () => {
      const schema = `old${layout}`;
      const made = await openPostgresQueue({ place: server.url(schema) });
      await made.submit([jobSpec(1, { overrides: { lr: 0.5, deep: { x: 'seven' } } }), jobSpec(2)]);
      await made.annotate(jobId(2), 'note', 'good one');
      await made.close();
      const columns = ['spec', 'config', 'facts'].map((name) => `DROP COLUMN searched_${name}`).join(', ');
      server.sql(
        `ALTER TABLE ${schema}.jobs DROP COLUMN odd_keys, ADD COLUMN config text NOT NULL DEFAULT '{}'`,
      );
      server.sql(
        `UPDATE ${schema}.jobs j SET config = d.config FROM ${schema}.job_documents d WHERE d.id = j.id`,
      );
      server.sql(`ALTER TABLE ${schema}.job_documents DROP COLUMN config`);
      if (layout < 3) server.sql(`ALTER TABLE ${schema}.jobs ${columns}`);
      const texts = `ADD COLUMN search_spec text NOT NULL DEFAULT '{}', ADD COLUMN search_facts text NOT NULL DEFAULT '{}'`;
      if (layout === 2) server.sql(`ALTER TABLE ${schema}.jobs ${texts}`);
      server.sql(`UPDATE ${schema}.job_layout SET layout = ${layout}`);
      const queue = await openPostgresQueue({ place: server.url(schema) });
      const found = (text: string) => queue.count({ search: parseWhere(text) });
      assert.deepEqual(
        [await found("lr > 0.4 and deep.x == 'seven'"), await found("annotations.note ~ 'good'")],
        [1, 1],
      );
      await queue.close();
      assert.equal(server.sql(`SELECT layout FROM ${schema}.job_layout`).trim(), '4');
    });
  }

  test('makes its schema at the moment at which the shelf of points makes the same one', async () => {
    const place = server.url('both');
    const other = new pg.Client({ connectionString: place });
    await other.connect();
    // A word of SQL, as it happens. Both come to the line that makes the schema, and go on from there together.
    await other.query('BEGIN; CREATE SCHEMA "both"');
    const opening = Promise.all([openPostgresQueue({ place }), openPostgresShelf(place)]);
    const waiting = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    for (let tries = 0; tries < 200 && server.sql(waiting).trim() !== '2'; tries++) await sleep(50);
    assert.equal(server.sql(waiting).trim(), '2');
    await other.query('ROLLBACK');
    await other.end();
    for (const store of await opening) await store.close();
    const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'both' AND tablename IN ('jobs', 'point_facts')`;
    assert.deepEqual(server.sql(tables).trim().split('\n').sort(), ['jobs', 'point_facts']);
  });

  test('says what is wrong with an address, without its password', async () => {
    const nobody = openPostgresQueue({ place: 'postgres://postgres@127.0.0.1:1/x', reconnectMs: 100 });
    await assert.rejects(nobody, { code: 'JOBS_POSTGRES_UNREACHABLE' });
    await assert.rejects(openPostgresQueue({ place: 'postgres://a:geheim@host/x' }), (error: Error) => {
      assert.ok(!error.message.includes('geheim'));
      return (error as Error & { code: string }).code === 'JOBS_SECRET_IN_ADDRESS';
    });
    await assert.rejects(openPostgresQueue({ place: '', env: {} }), { code: 'JOBS_BAD_ADDRESS' });
    const noDatabase = server.url('jobs').replace('/postgres?', '/nothing?');
    await assert.rejects(openPostgresQueue({ place: noDatabase }), { code: 'JOBS_POSTGRES_REFUSED' });
  });
});
