import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Workload } from '../../src/formats/core/kpi/workload.ts';
import { MAIN } from '../support/binary.ts';
import { addFiles, makeTree, readTree, tinyTest } from '../support/result-tree.ts';
import tinyWorkload from '../support/tiny-workload.ts';

test('empty settings, mixed types and lists are read', async () => {
  const dir = makeTree({
    ...tinyTest('a', ''),
    ...tinyTest('b', 'n: 1\n'),
    ...tinyTest('c', 'n: x\nlist: [1, 2]\n'),
    ...tinyTest('d', 'n: true\nmap: {k: v}\n'),
  });
  const { matrix, report } = await readTree(dir);
  assert.equal(report.complete, 4);
  assert.deepEqual(matrix.settings.get('n'), [1, 'x', true, null]);
  assert.equal(matrix.settings.has('list'), false);
  assert.deepEqual(matrix.entries[2]?.settings['list'], [1, 2]);
});

test('a missing or broken file loses what comes from it, broken settings lose the test, the others are read', async () => {
  const dir = makeTree({
    ...tinyTest('a', 'n: 1\n'),
    ...tinyTest('b', 'n: 2\n'),
    'b/000__run/result.json': '{"throughput": ',
    ...tinyTest('c', 'n: [3\n'),
    ...tinyTest('d', '- a list\n'),
    'e/settings.yaml': 'n: 5\n',
    'e/exit_code': '1\n',
  });
  const { matrix, report } = await readTree(dir);
  assert.deepEqual([report.complete, report.partial, report.broken], [1, 2, 2]);
  assert.equal(matrix.entries[1]?.results['test_uuid'], 'id');
  assert.equal('data' in (matrix.entries[1]?.results ?? {}), false);
  assert.match(matrix.entries[1]?.problems[0] ?? '', /^000__run\/result\.json: It is not valid JSON/);
  assert.deepEqual(matrix.entries[2]?.problems, [
    'no folder matches "*__run" (artifact folder "run")',
    '.uuid: there is no such file',
    'config.yaml: there is no such file',
  ]);
  const broken = report.problems.filter(({ kind }) => kind === 'broken').map(({ location }) => location);
  assert.deepEqual(broken, ['c', 'd']);
});

test('a workload that fails costs one test', async () => {
  const dir = makeTree({ ...tinyTest('a', 'n: 1\n'), ...tinyTest('b', 'n: 2\n') });
  const workload: Workload = {
    ...tinyWorkload,
    parseOnce: async (files) => {
      if (files.folder.settings['n'] === 1) throw new TypeError('no such thing');
      return tinyWorkload.parseOnce(files);
    },
  };
  const { matrix, report } = await readTree(dir, { workload });
  assert.deepEqual([matrix.entries.length, report.broken], [1, 1]);
  assert.equal(report.problems[0]?.reason, 'the workload failed: no such thing');
});

test('two tests with the same settings are reported with both locations, and the first is used', async () => {
  const dir = makeTree({
    ...tinyTest('a', 'n: 1\n'),
    ...tinyTest('b', 'n: 1\n'),
    ...tinyTest('c', 'n: "1"\n'),
  });
  const { matrix, report } = await readTree(dir);
  assert.deepEqual(
    matrix.entries.map(({ location }) => location),
    ['a', 'c'],
  );
  const told = report.problems.map(({ location, reason }) => `${location}: ${reason}`);
  assert.deepEqual(told, [
    'b: left out: a has the same settings (n=1)',
    'c: a has the same settings except for types, as 4 and "4" (n=1)',
  ]);
  assert.equal((await readTree(dir, { isCompat: true })).report.duplicates, 2);
});

test('entries are split, rewritten and left out as the workload says', async () => {
  const dir = makeTree({ ...tinyTest('a', 'n: 1\n'), ...tinyTest('b', 'n: 2\n') });
  const workload: Workload = {
    ...tinyWorkload,
    split: (results) => ['x', 'y'].map((part) => ({ settings: { part }, results: { ...results, part } })),
    rewriteSettings: ({ n, part }) =>
      n === 2 && part === 'y' ? undefined : { number: n ?? null, part: part ?? null },
  };
  const { matrix, report } = await readTree(dir, { workload });
  assert.deepEqual(
    matrix.entries.map(({ settings }) => settings),
    [
      { number: 1, part: 'x' },
      { number: 1, part: 'y' },
      { number: 2, part: 'x' },
    ],
  );
  assert.equal(report.leftOut, 1);
  assert.deepEqual(matrix.entries[0]?.importSettings, { n: 1, part: 'x' });
});

test('nothing outside of the test directory is read', async () => {
  const outside = makeTree({ 'secret.json': '{"throughput": 1}' });
  const dir = makeTree({ ...tinyTest('a', 'n: 1\n'), 'b.json': '{}' });
  symlinkSync(join(outside, 'secret.json'), join(dir, 'a/link.json'));
  symlinkSync(outside, join(dir, 'a/folder'));
  const workload: Workload = {
    ...tinyWorkload,
    parseOnce: async (files) => {
      const read = [
        await files.json('link.json'),
        await files.text('../b.json'),
        await files.text('/etc/hostname'),
      ];
      for await (const line of files.lines('link.json')) read.push(line);
      return { fields: { read: read.filter((it) => it !== undefined) }, problems: [] };
    },
  };
  const { matrix } = await readTree(dir, { workload });
  assert.deepEqual(matrix.entries[0]?.results['read'], []);
  assert.equal(matrix.entries[0]?.problems.length, 3);
});

test('several artifact folders: the last is used, and reported once; so is a file that is not listed', async () => {
  const dir = makeTree({ ...tinyTest('a', 'n: 1\n'), ...tinyTest('b', 'n: 2\n') });
  for (const test of ['a', 'b']) addFiles(dir, { [`${test}/001__run/result.json`]: '{"throughput": 7}' });
  const { matrix, report } = await readTree(dir, {
    workload: { ...tinyWorkload, importantFiles: ['.uuid'] },
  });
  assert.deepEqual(matrix.entries[0]?.results['data'], { throughput: 7 });
  assert.deepEqual(
    report.problems.map(({ reason }) => reason),
    [
      '2 folders match "*__run"; the last one is used: 001__run',
      '001__run/result.json is read but is not one of the important files: a download of these would leave it out',
    ],
  );
});

test('a log of a gigabyte is read line by line, and is too large as one text', async () => {
  const dir = makeTree(tinyTest('a', 'n: 1\n'));
  const log = join(dir, 'a/huge.log');
  writeFileSync(log, 'first line\n');
  truncateSync(log, 2 ** 30); // sparse: no space is taken
  const workload: Workload = {
    ...tinyWorkload,
    parseOnce: async (files) => {
      const lengths: number[] = [];
      for await (const line of files.lines('huge.log')) lengths.push(line.length);
      return { fields: { lengths, hasText: (await files.text('huge.log')) !== undefined }, problems: [] };
    },
  };
  const { matrix, report } = await readTree(dir, { workload });
  assert.deepEqual(matrix.entries[0]?.results, {
    ...{ lengths: ['first line'.length, 1024 * 1024], hasText: false, from_local_env: { always: true } },
  });
  const told = report.problems.filter(({ kind }) => kind === 'partial').map(({ reason }) => reason);
  assert.match(told[1] ?? '', /1024 MiB; at most 64\.0 MiB/);
  assert.match(told[0] ?? '', /1 of its lines are longer than 1 MiB/);
});

test('a folder that cannot be read is counted and reported', (context) => {
  const dir = makeTree(tinyTest('a', 'n: 1\n'));
  mkdirSync(join(dir, 'locked'));
  chmodSync(join(dir, 'locked'), 0);
  chmodSync(dir, 0o755);
  const isRoot = process.getuid?.() === 0;
  const args = [
    MAIN,
    'matrix',
    'parse',
    dir,
    '-w',
    join(process.cwd(), 'dist/test/support/tiny-workload.js'),
  ];
  const ran = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: '/',
    ...(isRoot ? { uid: 65534 } : {}),
  });
  if (/EACCES|Cannot find module/.test(ran.stderr) && !ran.stderr.includes('locked')) {
    context.skip(
      'root reads everything, and another user cannot start this program: run as an ordinary user',
    );
    return;
  }
  assert.match(ran.stderr, /locked: the folder cannot be read: No permission/);
  assert.match(ran.stderr, /the cache could not be written/);
  assert.match(ran.stdout, /1 entry of 2 test directories: 1 complete, 1 broken/);
  assert.equal(ran.status, 0);
});
