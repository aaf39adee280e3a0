import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Database from 'libsql';
import { nodeContext } from '../src/cli/node-context.ts';
import type { ExperimentHistory } from '../src/dashboard/app/read-history.ts';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../src/home/cli/home-index.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import type { ChangeTable } from '../src/judge/app/changes/change-table.ts';
import localDisk from '../src/platform/adapters/local-disk/local-disk.ts';
import { judgeMissing } from '../src/server/cli/home-services.ts';
import { createServer } from '../src/server/create-server.ts';
import { runBinary } from './support/binary.ts';
import { makeChangesHome } from './support/changes-home.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-stored-judgements-'));
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

test('a page reads what was judged when results came in', async () => {
  const { texts, detectorRuns } = await readPages(home);
  assert.equal(detectorRuns, 0);
  assert.ok(texts.some((text) => VERDICT.test(text)));
  assert.ok(texts.some((text) => LEVELS.test(text)));
});

test('values that nobody judged are shown without verdict, and judged in the background', async () => {
  const judged = await readPages(home);
  forgetJudgements();
  const pages = openPages(home);
  const bare = await pages.read();
  assert.equal(bare.detectorRuns, 0);
  assert.ok(!bare.texts.some((text) => VERDICT.test(text)));
  assert.ok(!bare.texts.some((text) => LEVELS.test(text)));
  assert.ok(
    bare.texts.some((text) => /cannot be explained yet: the values of its series are not judged/.test(text)),
  );
  assert.deepEqual(valuesIn(bare.texts), valuesIn(judged.texts));

  const { context, dispose } = nodeContext(process);
  const filled = await countedWhile(() => judgeMissing(home, context));
  assert.ok(filled.detectorRuns > 0, 'the count of runs counts nothing');
  assert.deepEqual(await pages.read(), judged, 'what the server remembers is out of date');
  await pages.close();
  assert.equal((await countedWhile(() => judgeMissing(home, context))).detectorRuns, 0);
  dispose();
});

test('a rebuilt index is judged, and values of a night that still runs wait for its end', async () => {
  const files = realpathSync(mkdtempSync(join(tmpdir(), 'nightmark-stored-judgements-')));
  try {
    writeFiles(files);
    assert.equal((await runBinary(['reindex', files])).code, 0);
    assert.equal((await runBinary(['changes', files])).code, 0);
    const judged = await readPages(files);
    assert.ok(judged.texts.some((text) => VERDICT.test(text)));
    assert.equal((await runBinary(['reindex', files])).code, 0);
    assert.deepEqual(await readPages(files), { ...judged, detectorRuns: 0 });

    const night = runBinary(['run', files]);
    await measured(files);
    const during = await readPages(files);
    writeFileSync(join(files, 'go'), '');
    assert.equal((await night).code, 0);
    assert.equal(during.detectorRuns, 0);
    const standing = (texts: readonly string[]) =>
      texts
        .filter((text) => text.startsWith('{"runs"'))
        .map((text) => (JSON.parse(text) as ExperimentHistory).series[0])
        .map((series) => [series?.count, series?.levels.length, series?.newest?.verdict]);
    const waiting = [NIGHTS + 1, 2, undefined];
    assert.deepEqual(standing(during.texts), [waiting, waiting]);
    const ended = await readPages(files);
    const judgedNow = [NIGHTS + 1, 2, 'slower'];
    assert.deepEqual(standing(ended.texts), [judgedNow, judgedNow]);
    assert.equal(ended.detectorRuns, 0);
  } finally {
    rmSync(files, { recursive: true });
  }
});

/** "changed": which direction is good is not known of the files of an old dashboard. */
const VERDICT = /"verdict":"(?:slower|changed)"/;
const LEVELS = /"levels":\[\{/;
const NIGHTS = 40;

/** Results of an old dashboard that step once, and a night that waits for the file "go" when it has measured. */
function writeFiles(home: string): void {
  const result = `echo '{"results": [{"command": "time", "times": [2.5], "exit_codes": [0]}]}'`;
  const wait = `while [ ! -e ${home}/go ]; do sleep 0.1; done`;
  const task = `    run: |\n      ${result}\n    visualize: ${wait}\n`;
  writeFileSync(join(home, 'nightmark.yml'), `experiments:\n  sort:\n${task}  json:\n${task}`);
  for (const experiment of ['sort', 'json']) {
    const folder = homeLayout(home).data(experiment);
    mkdirSync(folder, { recursive: true });
    for (let night = 0; night < NIGHTS; night++) {
      const [year, month, day] = new Date(Date.UTC(2025, 10, 1 + night))
        .toISOString()
        .slice(0, 10)
        .split('-');
      const value = (night < 30 ? 1 : 1.2) + ((night * 7) % 5) / 100;
      writeFileSync(
        join(folder, `data_${month}-${day}-${year}-0200.json`),
        JSON.stringify({ time: night === NIGHTS - 1 ? 1.6 : value }),
      );
    }
  }
}

/** Until the new values of both experiments are in the index. */
async function measured(home: string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    await setTimeout(50);
    const store = await openSqliteStore(homeLayout(home).index, { readOnly: true });
    const series = (await store.series({ limit: 100 })).filter(({ path }) => path[0] === 'time');
    const histories = await Promise.all(series.map(({ id }) => store.history(id, { limit: 100 })));
    store.close();
    if (histories.every(({ values }) => values.length > NIGHTS)) return;
  }
  assert.fail('The night brought no values.');
}

/** The numbers of charts and tables, which need no judging. */
function valuesIn(texts: readonly string[]): readonly unknown[] {
  return texts.map((text) => text.match(/"(?:values|spark)":\[[^\]]*\]/g));
}

/** By a server that remembers nothing yet. */
async function readPages(home: string) {
  const pages = openPages(home);
  try {
    return await pages.read();
  } finally {
    await pages.close();
  }
}

/** A server, and everything that it shows with levels, verdicts or drifts in it. */
function openPages(home: string) {
  const index = watchIndex(home);
  const changes = {
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
  return {
    read: () =>
      countedWhile(async () => {
        const texts = [];
        for (const url of await allUrls(get)) texts.push(await get(url));
        return { texts };
      }),
    async close() {
      await app.close();
      index.close();
    },
  };
}

async function allUrls(get: (url: string) => Promise<string>): Promise<readonly string[]> {
  const table = JSON.parse(await get('/api/changes/table')) as ChangeTable;
  return [
    ...['/api/home', '/api/home/values/0', '/api/home.csv', '/api/experiments', '/api/machines'],
    ...['/api/experiments/sort/history', '/api/experiments/json/history?details=1'],
    ...table.changes.flatMap(({ id }) => [`/api/changes/${id}`, `/api/changes/${id}/explanation`]),
  ];
}

async function countedWhile<T>(work: () => Promise<T>): Promise<T & { readonly detectorRuns: number }> {
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    return { ...(await work()), detectorRuns: await countCalls('createChangeFinder') };
  } finally {
    await profiler.post('Profiler.stopPreciseCoverage');
  }
}

async function countCalls(name: string): Promise<number> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  const calls = result.flatMap(({ functions }) =>
    functions.flatMap(({ functionName, ranges }) => (functionName === name ? [ranges[0]?.count ?? 0] : [])),
  );
  return calls.reduce((sum, count) => sum + count, 0);
}

/** As in the index of an older version. */
function forgetJudgements(): void {
  const raw = new Database(homeLayout(home).index);
  raw.exec('DELETE FROM judgements');
  raw.close();
}
