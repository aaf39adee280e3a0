import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Workload } from '../../src/formats/core/kpi/workload.ts';
import { readEntries } from '../../src/matrix/app/parse/read-entries.ts';
import { parseFilters } from '../../src/matrix/core/filters.ts';
import {
  addFiles,
  makeTree,
  parseRequestOf,
  readTree,
  realEffects,
  tinyTest,
} from '../support/result-tree.ts';
import tinyWorkload from '../support/tiny-workload.ts';

const names = ['a', 'a-b', 'b', 'c'];
const tree = () => {
  const dir = makeTree(Object.assign({}, ...names.map((name) => tinyTest(name, `n: ${name}\n`))));
  age(dir);
  return dir;
};
/** Times of long ago: those of a moment ago are not relied upon. */
function age(dir: string): void {
  const then = new Date('2026-01-05T03:00:00Z');
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (!path.startsWith('.nightmark')) utimesSync(join(dir, path), then, then);
  }
}
const throughput = (reading: Awaited<ReturnType<typeof readTree>>, at: number) =>
  (reading.matrix.entries[at]?.results['data'] as { throughput: number } | undefined)?.throughput;
const cachePath = (dir: string) => {
  const folder = join(dir, '.nightmark/cache');
  return join(folder, readdirSync(folder)[0] ?? '');
};

test('a second reading takes everything from the cache, gives the same, and writes nothing', async () => {
  const dir = tree();
  const first = await readTree(dir);
  const before = statSync(cachePath(dir));
  const second = await readTree(dir);
  assert.equal(first.report.cached, 0);
  assert.equal(second.report.cached, names.length);
  assert.deepEqual(second.matrix.entries, first.matrix.entries);
  assert.equal(statSync(cachePath(dir)).ino, before.ino);
});

test('a changed file, one that was missing and came, and one that went are noticed', async () => {
  const dir = tree();
  rmSync(join(dir, 'b/.uuid'));
  await readTree(dir);
  writeFileSync(join(dir, 'a/000__run/result.json'), '{"throughput": 200}');
  addFiles(dir, { 'b/.uuid': 'new\n' });
  rmSync(join(dir, 'c/000__run'), { recursive: true });
  const again = await readTree(dir);
  assert.equal(again.report.cached, 1);
  assert.equal(throughput(again, 0), 200);
  assert.equal(again.matrix.entries[2]?.results['test_uuid'], 'new');
  assert.match(again.matrix.entries[3]?.problems[0] ?? '', /no folder matches "\*__run"/);
});

test('a change that keeps size and time is noticed when the time was too fresh to be relied upon', async () => {
  const dir = makeTree(tinyTest('a', 'n: 1\n'));
  await readTree(dir);
  const path = join(dir, 'a/000__run/result.json');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, '{"throughput":300}');
  utimesSync(path, atime, mtime);
  assert.equal(throughput(await readTree(dir), 0), 300);
});

test('a change that keeps size and time of an old file is noticed: nobody can set back when it was changed', async () => {
  const dir = tree();
  await readTree(dir);
  const path = join(dir, 'a/000__run/result.json');
  const { atime, mtime, size } = statSync(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('100', '300'));
  utimesSync(path, atime, mtime);
  assert.equal(statSync(path).size, size);
  const again = await readTree(dir);
  assert.equal(throughput(again, 0), 300);
  assert.equal(again.report.cached, names.length - 1);
});

test('what comes into a remembered test directory is noticed, and so is what goes', async () => {
  const dir = tree();
  await readTree(dir);
  addFiles(dir, {
    'a/settings.more.yaml': 'extra: 1\n',
    'b/skip': '',
    'c/notes.txt': 'nothing of interest\n',
  });
  age(dir);
  rmSync(join(dir, 'a-b/exit_code'));
  const again = await readTree(dir);
  assert.deepEqual(
    again.matrix.entries.map(({ location }) => location),
    ['a', 'c'],
  );
  assert.equal(again.matrix.entries[0]?.settings['extra'], 1);
  assert.deepEqual([again.report.cached, again.report.unfinished], [0, 2]);
  assert.equal((await readTree(dir)).report.cached, 2);
});

test('files that were only touched are not parsed again', async () => {
  const dir = tree();
  await readTree(dir);
  const now = new Date();
  utimesSync(join(dir, 'a/000__run/result.json'), now, now);
  assert.equal((await readTree(dir)).report.cached, names.length);
});

test('changed settings of a parent, and another version of the workload, are noticed', async () => {
  const dir = tree();
  await readTree(dir);
  addFiles(dir, { 'settings.more.yaml': 'extra: 1\n' });
  const again = await readTree(dir);
  assert.equal(again.report.cached, 0);
  assert.equal(again.matrix.entries[0]?.settings['extra'], 1);
  const newer: Workload = { ...tinyWorkload, version: '2' };
  assert.equal((await readTree(dir, { workload: newer })).report.cached, 0);
});

test('what a filter leaves out stays remembered', async () => {
  const dir = tree();
  await readTree(dir);
  const filtered = await readTree(dir, { filters: parseFilters('n=b') });
  assert.deepEqual([filtered.report.entries, filtered.report.cached], [1, 1]);
  assert.equal((await readTree(dir)).report.cached, names.length);
});

test('a damaged cache is read as far as it goes and written again', async () => {
  const dir = tree();
  const first = await readTree(dir);
  const text = readFileSync(cachePath(dir), 'utf8');
  const damages = [
    text.slice(0, text.length / 2),
    text.replace('"fields":{', '"fields":['),
    text.replace(/"looks":\[\[.*?\]/, '"looks":[["f"]'),
    'nonsense',
    '',
    `${text.split('\n')[0]}\n\n\t\n"a"\t{}\n`,
  ];
  for (const damage of damages) {
    writeFileSync(cachePath(dir), damage);
    const again = await readTree(dir);
    assert.deepEqual(again.matrix.entries, first.matrix.entries);
    assert.ok(again.report.cached < names.length);
    assert.equal((await readTree(dir)).report.cached, names.length);
  }
});

test('after an interruption the tests that were read are remembered, and the others still are', async () => {
  const dir = tree();
  await readTree(dir);
  writeFileSync(join(dir, 'a/000__run/result.json'), '{"throughput": 200}');
  const abort = new AbortController();
  const workload: Workload = {
    ...tinyWorkload,
    async parseOnce(files) {
      abort.abort();
      return tinyWorkload.parseOnce(files);
    },
  };
  const request = { ...parseRequestOf(dir), workload, jobs: 1 };
  const reading = readEntries(request, () => undefined, { ...realEffects, signal: abort.signal });
  await assert.rejects(reading, { code: 'MATRIX_INTERRUPTED' });
  const again = await readTree(dir);
  assert.equal(again.report.cached, names.length);
  assert.equal(throughput(again, 0), 200);
});

test('without the cache nothing is written', async () => {
  const dir = tree();
  const { report } = await readTree(dir, { usesCache: false });
  assert.equal(report.entries, names.length);
  assert.deepEqual(readdirSync(dir), names);
});

test('parse_always is computed at each reading', async () => {
  const dir = tree();
  let count = 0;
  const workload: Workload = {
    ...tinyWorkload,
    parseAlways: async (_, results) => ({
      fields: { seen: ++count, had: results['test_uuid'] ?? null },
      problems: [],
    }),
  };
  await readTree(dir, { workload, jobs: 1 });
  const { matrix } = await readTree(dir, { workload, jobs: 1 });
  assert.deepEqual(matrix.entries[0]?.results['seen'], names.length + 1);
  assert.equal(matrix.entries[0]?.results['had'], 'id');
});
