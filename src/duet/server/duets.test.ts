import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Format } from '../../formats/core/format.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import { createServer } from '../../server/create-server.ts';
import type { DuetGroupView, DuetRunDocument } from '../app/read-duet-group.ts';
import type { DuetList } from '../app/read-duet-list.ts';
import type { DuetView } from '../app/read-duet-view.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-duets-api-'));
const index = watchIndex(home);
const app = createServer(
  { home, isLoopback: true },
  {
    ...{ disk: localDisk, clock: systemClock, index, report: () => undefined },
    duets: async () => ({
      ...{
        disk: localDisk,
        clock: systemClock,
        signal: new AbortController().signal,
        suiteOf: () => undefined,
      },
      formats: await loadAll<Format>('formats'),
    }),
  },
);
const ask = (url: string) => app.inject({ url, headers: { host: 'localhost' } });
const get = async <T>(url: string) => JSON.parse((await ask(url)).body) as T;

before(() => {
  const duets = join(home, 'results/duets');
  mkdirSync(duets, { recursive: true });
  cpSync('test/golden/duet/results.tiny', join(home, 'results.20260101-020000'), { recursive: true });
  cpSync('test/golden/duet/simulated.csv', join(duets, 'simulated.csv'));
  mkdirSync(join(duets, 'empty'));
  writeFileSync(join(duets, 'notes.txt'), 'no duet');
  symlinkSync('/etc', join(duets, 'elsewhere'));
});
after(async () => {
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

test('the home knows its folders and tables, and nothing that leads out of it', async () => {
  const { duets, stored, ofChanges } = await get<DuetList>('/api/duets');
  const found = duets.map(({ id, type }) => `${id} ${type}`).sort();
  assert.deepEqual(found, ['empty folder', 'results.20260101-020000 folder', 'simulated.csv table']);
  assert.deepEqual([stored, ofChanges], [[], []]);
  for (const name of ['elsewhere', '..%2f..', 'notes.txt', 'nothing'])
    assert.equal((await ask(`/api/duets/${name}`)).statusCode, 404, name);
});

test('a table is judged as the command does', async () => {
  const { analysis } = await get<DuetView>('/api/duets/simulated.csv');
  const [first] = analysis.groups;
  assert.deepEqual([first?.benchmark, first?.type, first?.judgement.verdict], ['als', 'duet', 'slower']);
  assert.equal(first?.judgement.effect?.ratio.toFixed(3), '1.031');
  const { headline } = await get<{ headline: string }>('/api/duets/simulated.csv/verdicts');
  assert.equal(headline, '9 comparisons: 2 slower, 3 faster, 3 undecided, 1 same within 1 %.');
  const csv = (await ask('/api/duets/simulated.csv/runs.csv')).body.trimEnd().split('\n');
  assert.equal(csv.length, 91);
});

test('a comparison has the distribution of its pairs, a run its iterations and who met whom', async () => {
  const { bins, orders } = await get<DuetGroupView>('/api/duets/simulated.csv/groups/0');
  const pairs = (bins?.counts ?? []).reduce(
    (sum, count) => sum + count,
    (bins?.below ?? 0) + (bins?.above ?? 0),
  );
  assert.deepEqual([pairs, orders.length], [130, 10]);
  const run = await get<DuetRunDocument>('/api/duets/simulated.csv/groups/0/runs/1');
  assert.deepEqual([run.A?.times.length, run.B?.times.length, run.pairs.ratios.length], [7, 7, 13]);
  const [a = 0, b = 0] = [run.pairs.a[3], run.pairs.b[3]];
  const ratio = (run.B?.times[b] ?? 0) / (run.A?.times[a] ?? 1);
  assert.ok(Math.abs(ratio - (run.pairs.ratios[3] ?? 0)) < 1e-6);
  assert.equal((await ask('/api/duets/simulated.csv/groups/99')).statusCode, 404);
  assert.equal((await ask('/api/duets/simulated.csv/groups/0/runs/-1')).statusCode, 404);
});

test('a folder without results has nothing to compare, and says so', async () => {
  const { analysis, entry } = await get<DuetView>('/api/duets/empty');
  assert.deepEqual([analysis.groups, entry.state], [[], 'unknown']);
  const tiny = await get<DuetView>('/api/duets/results.20260101-020000');
  assert.ok(tiny.artifacts.some(({ name }) => name === 'hostname'));
  assert.ok(tiny.analysis.groups.length > 2);
});
