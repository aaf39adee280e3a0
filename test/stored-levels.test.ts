import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../src/home/cli/home-index.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import type { ChangeTable } from '../src/judge/app/changes/change-table.ts';
import { DEFAULT_RULES } from '../src/judge/app/series/judging-rules.ts';
import localDisk from '../src/platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../src/server/create-server.ts';
import { makeChangesHome } from './support/changes-home.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-stored-levels-'));
const profiler = new Session();

before(async () => {
  await makeChangesHome(
    home,
    [
      { experiment: 'sort', at: 180, factor: 1.1 },
      { experiment: 'json', at: 40, factor: 0.8 },
    ],
    230,
  );
  profiler.connect();
  await profiler.post('Profiler.enable');
});
after(() => {
  profiler.disconnect();
  rmSync(home, { recursive: true });
});

test('a page reads the levels that were stored when results came in, and does not run the detector', async () => {
  const stored = await readPages();
  assert.equal(stored.detectorRuns, 0);
  assert.match(stored.texts.join('\n'), /"verdict":"slower"/);
  assert.match(stored.texts.join('\n'), /"levels":\[\{/);

  await forgetLevels();
  const computed = await readPages();
  assert.ok(computed.detectorRuns > 0, 'the count of runs counts nothing');
  assert.deepEqual(stored.texts, computed.texts);
});

/** Everything with levels, verdicts or drifts in it, by a server that remembers nothing yet. */
async function readPages() {
  const index = watchIndex(home);
  const changes = {
    rules: async () => DEFAULT_RULES,
    commits: { commitsBetween: async () => undefined },
    signal: new AbortController().signal,
    write: () => Promise.reject(new Error('A GET writes nothing.')),
  };
  const effects = {
    disk: localDisk,
    clock: { now: () => 1_800_000_000_000 },
    index,
    report: () => undefined,
  };
  const app = createServer({ home, isLoopback: true }, { ...effects, changes });
  const get = async (url: string) => {
    const { statusCode, body } = await app.inject({ url, headers: { host: 'localhost' } });
    assert.equal(statusCode, 200, url);
    return body;
  };
  try {
    await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const table = JSON.parse(await get('/api/changes/table')) as ChangeTable;
    const texts = [];
    for (const url of [
      ...['/api/home', '/api/home/values/0', '/api/home.csv', '/api/experiments', '/api/machines'],
      ...['/api/experiments/sort/history', '/api/experiments/json/history?details=1'],
      ...table.changes.flatMap(({ id }) => [`/api/changes/${id}`, `/api/changes/${id}/explanation`]),
    ])
      texts.push(await get(url));
    return { texts, detectorRuns: await countCalls('createChangeFinder') };
  } finally {
    await profiler.post('Profiler.stopPreciseCoverage');
    await app.close();
    index.close();
  }
}

async function countCalls(name: string): Promise<number> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  const calls = result.flatMap(({ functions }) =>
    functions.flatMap(({ functionName, ranges }) => (functionName === name ? [ranges[0]?.count ?? 0] : [])),
  );
  return calls.reduce((sum, count) => sum + count, 0);
}

/** As in an index that was just rebuilt. */
async function forgetLevels(): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  const all = await store.series({ limit: 100 });
  const none = { fingerprint: '', document: '' };
  await store.saveLevels(
    all.map(({ experiment, path }) => ({ series: JSON.stringify(['value', experiment, ...path]), ...none })),
  );
  store.close();
}
