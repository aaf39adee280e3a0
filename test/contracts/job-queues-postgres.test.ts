import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import openPostgresQueue from '../../src/adapters/queues/postgres/index.ts';
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
    const queue = await openPostgresQueue({ place: server.url('jobs'), tell: (line) => said.push(line) });
    await queue.submit([jobSpec(1)]);
    server.down('immediate');
    const worker = { host: 'here', pid: 1, incarnation: '' };
    const claiming = queue.claim({ worker, executors: ['process'] });
    setTimeout(() => server.up(), 300);
    const claim = await claiming;
    assert.equal(claim?.jobId, jobId(1));
    assert.match(said.join('\n'), /is lost; it is tried again\.\n.*is back\./);
    assert.deepEqual(await queue.heartbeat([claim ?? assert.fail()]), [true]);
    await queue.close();
  });

  test('says what is wrong with an address, without its password', async () => {
    const nobody = openPostgresQueue({ place: 'postgres://postgres@127.0.0.1:1/x', patienceMs: 100 });
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
