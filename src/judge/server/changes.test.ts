import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { idOfNight, makeChangesHome } from '../../../test/support/changes-home.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../server/create-server.ts';
import type { ChangesAround, ChangeTable } from '../app/changes/change-table.ts';
import type { ChangeDocument } from '../app/changes/read-change.ts';
import { DEFAULT_RULES } from '../app/series/judging-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-changes-api-'));
const home = join(folder, 'home');
const index = watchIndex(home);
const changes = {
  rules: async () => DEFAULT_RULES,
  commits: { commitsBetween: async () => undefined },
  signal: new AbortController().signal,
  async write<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openSqliteStore(homeLayout(home).index);
    try {
      return await work(store);
    } finally {
      store.close();
    }
  },
};
const effects = { disk: localDisk, clock: { now: () => 1_800_000_000_000 }, index, report: () => undefined };
const app = createServer({ home, isLoopback: true }, { ...effects, changes });
const ask = (request: InjectOptions, on = app) =>
  on.inject({ ...request, headers: { host: 'localhost', ...request.headers } });
const get = async <T>(url: string) => JSON.parse((await ask({ url })).body) as T;
const post = (url: string, payload: object, headers = {}) => ask({ method: 'POST', url, payload, headers });
let id = '';

before(async () => {
  mkdirSync(home);
  await makeChangesHome(home, [
    { experiment: 'sort', at: 30, factor: 1.1 },
    { experiment: 'json', at: 40, factor: 0.8 },
  ]);
  const { changes: all } = await get<ChangeTable>('/api/changes/table');
  id = all.find(({ direction }) => direction === 'worse')?.id ?? '';
});
after(async () => {
  await app.close();
  index.close();
  rmSync(folder, { recursive: true });
});

test('the table has every change, and what lies around each', async () => {
  const table = await get<ChangeTable>('/api/changes/table');
  assert.deepEqual(
    table.changes.map(({ direction, runId }) => [direction, runId]),
    [
      ['better', idOfNight(40)],
      ['worse', idOfNight(30)],
    ],
  );
  assert.deepEqual([table.project, table.leftOut, table.scores.length], ['stepping', 0, 2]);
  const { around } = await get<ChangesAround>('/api/changes/around/0');
  const one = around.find((it) => it.id === id);
  assert.deepEqual([one?.values.length, one?.place, one?.commits], [30, 15, { repo: 'bbbb222' }]);
  assert.deepEqual((await get<ChangesAround>('/api/changes/around/9')).around, []);
  assert.equal((await ask({ url: '/api/changes/around/x' })).statusCode, 404);
});

test('one change comes with its series, its levels and the commits on either side', async () => {
  const found = await get<ChangeDocument>(`/api/changes/${id.slice(0, 5)}`);
  assert.equal(found.change.id, id);
  assert.deepEqual(
    [found.series?.values.length, found.series?.place, found.series?.levels.length],
    [60, 30, 2],
  );
  assert.deepEqual(found.neighbours, {
    experiment: 'sort',
    source: 'repo',
    before: 'aaaa111',
    after: 'bbbb222',
  });
  assert.deepEqual(
    found.ofSeries.map((one) => one.id),
    [id],
  );
  const { explanation } = await get<{ explanation: { sentence: string } }>(`/api/changes/${id}/explanation`);
  assert.match(explanation.sentence, /^repo went from aaaa111 to bbbb222/);
  const none = await ask({ url: '/api/changes/zzzzzzz' });
  assert.deepEqual([none.statusCode, JSON.parse(none.body).code], [404, 'CHANGES_UNKNOWN']);
  assert.equal((await ask({ url: '/api/changes/%2e%2e%2fx/explanation' })).statusCode, 404);
});

test('what people say is written down, and read again', async () => {
  const said = await post(`/api/changes/${id}/triage`, {
    state: 'confirmed',
    note: 'seen <b>',
    author: 'Ada',
  });
  assert.deepEqual([said.statusCode, JSON.parse(said.body).state], [200, 'confirmed']);
  const { change, events } = await get<ChangeDocument>(`/api/changes/${id}`);
  assert.deepEqual([change.state, change.note, change.author], ['confirmed', 'seen <b>', 'Ada']);
  assert.equal(events.at(-1)?.type, 'triaged');
  const { changes: all } = await get<ChangeTable>('/api/changes/table');
  const ids = all.map((one) => one.id);
  await post('/api/changes/triage', { ids, state: 'expected' });
  const after = await get<ChangeTable>('/api/changes/table');
  assert.deepEqual(
    after.changes.map(({ state, note }) => [state, note]),
    [
      ['expected', undefined],
      ['expected', undefined],
    ],
  );
  await post('/api/changes/triage', { ids, state: 'new' });
  const csv = (await ask({ url: '/api/changes.csv' })).body.trimEnd().split('\n');
  assert.deepEqual(
    [csv.length, csv[2]?.startsWith(`${id},sort/time,new,worse,2025-12-01T02:00:00.000Z`)],
    [3, true],
  );
});

test('nothing is written of what cannot be understood, or by who may not', async () => {
  const ledger = () => localDisk.readText(homeLayout(home).changes);
  const before = await ledger();
  const bad: readonly object[] = [
    { state: 'bad' },
    {},
    { state: 'new', x: 1 },
    { state: 'new', note: 'x'.repeat(5000) },
  ];
  for (const body of bad) assert.equal((await post(`/api/changes/${id}/triage`, body)).statusCode, 400);
  assert.equal((await post('/api/changes/triage', { ids: [id, 'zzzzzzz'], state: 'false' })).statusCode, 404);
  assert.equal((await post('/api/changes/triage', { state: 'false' })).statusCode, 400);
  const foreign = { origin: 'http://evil.example' };
  assert.equal((await post(`/api/changes/${id}/triage`, { state: 'false' }, foreign)).statusCode, 403);
  const guarded = createServer({ home, isLoopback: true, writeToken: 'secret' }, { ...effects, changes });
  const request = { method: 'POST', url: `/api/changes/${id}/triage`, payload: { state: 'false' } } as const;
  assert.equal((await ask(request, guarded)).statusCode, 401);
  await guarded.close();
  assert.equal(await ledger(), before);
});
