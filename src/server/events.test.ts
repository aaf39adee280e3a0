import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { WORKER } from '../../test/support/job-history.ts';
import { jobId, jobSpec } from '../../test/support/job-specs.ts';
import { type WholeServer, wholeServer } from '../../test/support/whole-server.ts';
import { homeLayout } from '../home/core/home-layout.ts';
import type { TopicVersions } from './events.ts';

let server: WholeServer;
before(async () => {
  server = await wholeServer();
});
after(() => server.close());

/** Tokens as they come, each but the first after something was new. */
async function* listen(app: FastifyInstance): AsyncGenerator<TopicVersions, void, void> {
  const url = app.server.listening ? app.listeningOrigin : await app.listen({ port: 0, host: '127.0.0.1' });
  const { body } = await fetch(`${url}/api/events`);
  let text = '';
  for await (const part of body ?? []) {
    text += new TextDecoder().decode(part);
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^event: tokens\ndata: (.*)$/.exec(event) ?? [];
      if (data !== undefined) yield JSON.parse(data) as TopicVersions;
    }
  }
}

async function next(tokens: AsyncGenerator<TopicVersions, void, void>): Promise<TopicVersions> {
  const { value } = await tokens.next();
  assert.ok(value, 'the stream ended');
  return value;
}

test('that something is new is reported to all who listen, and to a later one at once', async () => {
  const app = server.with();
  const first = listen(app);
  const before = await next(first);
  await server.jobs.queue.submit([jobSpec(40)]);
  const afterwards = await next(first);
  assert.notEqual(afterwards.jobs, before.jobs);
  assert.deepEqual({ ...afterwards, jobs: '' }, { ...before, jobs: '' });
  const second = listen(app);
  assert.deepEqual(await next(second), afterwards);
  await app.close();
  assert.deepEqual(await first.next(), { done: true, value: undefined });
  assert.deepEqual(await second.next(), { done: true, value: undefined });
});

test('a job that falls silent is news although nobody writes', async () => {
  const queue = server.jobs.queue;
  await queue.submit([jobSpec(41)]);
  const claim = await queue.claim({ worker: WORKER, executors: ['process'], ids: [jobId(41)] });
  assert.ok(claim);
  await queue.begin(claim, { host: 'node1', outputDir: 'x' });
  const app = server.with({}, { jobs: { ...server.jobs, version: async () => 'always the same' } });
  const tokens = listen(app);
  const { jobs } = await next(tokens);
  server.world.now += 21_000;
  const silent = await next(tokens);
  assert.match(silent.jobs, /^always the same \d+$/);
  assert.notEqual(silent.jobs, jobs);
});

test('a queue that is away keeps nobody from other news, and is reported of once', async () => {
  const told = server.reports.length;
  const version = async () => {
    throw new Error('the queue is away');
  };
  const app = server.with({}, { jobs: { ...server.jobs, version } });
  const tokens = listen(app);
  const before = await next(tokens);
  assert.equal(before.jobs, '');
  assert.notEqual(before.runs, '');
  writeFileSync(homeLayout(server.home).changes, '');
  assert.notEqual((await next(tokens)).changes, before.changes);
  assert.deepEqual(server.reports.slice(told), ['No news of jobs: the queue is away']);
});
