import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parentFolders } from '../../src/matrix/app/parse/parse-request.ts';
import { readSettingLines } from '../../src/matrix/core/test-directory.ts';
import { addFiles, makeTree, readTree, tinyTest } from '../support/result-tree.ts';
import tinyWorkload from '../support/tiny-workload.ts';

const locations = (entries: readonly { location: string }[]) => entries.map(({ location }) => location);

test('settings of parents are merged, the nearest and the latest wins, in every syntax', async () => {
  const dir = makeTree({
    settings: 'x=root\ny=root\nno setting\n',
    'p/settings.common.yaml': 'y: p\nz: 1\n',
    'p/settings.empty.yaml': '',
    'p/settings.more.json': '{"z": 2}',
    ...tinyTest('p/t', 'z: 3\nq: true\n'),
    'p/t/settings.legacy': 'w=a=b\n',
  });
  // The folder itself has a "settings" file, which makes it a test: one level up it is a parent.
  addFiles(dir, { skip: '' });
  const { matrix, report } = await readTree(dir);
  assert.deepEqual(matrix.entries[0]?.settings, { x: 'root', y: 'p', z: 3, w: 'a=b', q: true });
  assert.deepEqual(matrix.entries[0]?.problems, ['./settings: line 3 is not "key=value"']);
  assert.equal(report.partial, 1);
});

test('old lines keep later equal signs', () => {
  assert.deepEqual(readSettingLines('w=a=b\n\nk=\n').settings, { w: 'a=b', k: '' });
});

test('settings above the results count for the original only', async () => {
  const dir = makeTree({ 'settings.top.yaml': 'top: 1\n', ...tinyTest('results/t', 'a: 1\n') });
  const results = join(dir, 'results');
  assert.deepEqual((await readTree(results)).matrix.entries[0]?.settings, { a: 1 });
  const compat = await readTree(results, { parents: parentFolders('results', dir), isCompat: true });
  assert.deepEqual(compat.matrix.entries[0]?.settings, { top: 1, a: 1 });
  assert.deepEqual(parentFolders('/a/b', '/x'), ['/', '/a']);
  assert.deepEqual(parentFolders('b/c', '/x'), ['/x', '/x/b']);
});

test('skipped folders are walked, nothing below a test is, settings.*.yaml alone makes no test', async () => {
  const dir = makeTree({
    ...tinyTest('a', 'n: 1\n'),
    ...tinyTest('a/nested', 'n: 2\n'),
    ...tinyTest('b', 'n: 3\n'),
    'b/skip': '',
    ...tinyTest('b/inner', 'n: 4\n'),
    'c/settings.more.yaml': 'n: 5\n',
    'c/exit_code': '0\n',
    'd/settings.yml': 'n: 6\n',
    'd/exit_code': '7\n',
  });
  const { matrix, report } = await readTree(dir);
  assert.deepEqual(locations(matrix.entries), ['a', 'b/inner', 'd']);
  assert.equal(matrix.entries[2]?.exitCode, 7);
  assert.equal(report.unfinished, 1);
  assert.ok(report.problems.some(({ reason }) => reason.includes('settings.yml is an old name')));
});

test('exit codes that say nothing leave the test out, with the reason', async () => {
  const dir = makeTree({
    'a/settings.yaml': 'n: 1\n',
    ...{ 'b/settings.yaml': 'n: 2\n', 'b/exit_code': ' \n' },
    ...{ 'c/settings.yaml': 'n: 3\n', 'c/exit_code': 'none' },
  });
  const { matrix, report } = await readTree(dir);
  assert.equal(matrix.entries.length, 0);
  const reasons = report.problems.map(({ location, reason }) => `${location}: ${reason}`);
  assert.deepEqual(reasons, [
    'a: it has no exit_code: it did not end, or still runs',
    'b: its exit_code is empty: it did not end, or still runs',
    'c: invalid exit_code: "none"',
  ]);
});

test('a marker makes the tests of a workload that names one, without an exit code', async () => {
  const dir = makeTree({ 'a/.db': '', ...tinyTest('b', 'n: 1\n') });
  const { matrix } = await readTree(dir, { workload: { ...tinyWorkload, marker: '.db' } });
  assert.deepEqual(locations(matrix.entries), ['a']);
  assert.equal(matrix.entries[0]?.exitCode, 0);
});

test("the successor's description of a test gives labels and success", async () => {
  const meta = '__caliper_test_metadata__.yaml';
  const dir = makeTree({
    [`a/${meta}`]: 'version: "1"\nlabels: {model: m1}\ncompletion: {success: true}\n',
    [`b/${meta}`]: 'version: "1"\nlabels: {model: m2}\ncompletion: {success: false, message: no}\n',
    [`c/${meta}`]: 'version: "1"\nskip: true\n',
  });
  const { matrix, report } = await readTree(dir);
  const found = matrix.entries.map(({ settings, exitCode }) => [settings['model'], exitCode]);
  assert.deepEqual(found, [
    ['m1', 0],
    ['m2', 1],
  ]);
  assert.equal(report.unfinished, 1);
});

test('links are followed once, and circles come to an end', async () => {
  const elsewhere = makeTree(tinyTest('t', 'n: 1\n'));
  const dir = makeTree(tinyTest('own', 'n: 2\n'));
  symlinkSync(elsewhere, join(dir, 'linked'));
  symlinkSync(elsewhere, join(dir, 'linked-again'));
  mkdirSync(join(dir, 'deep'));
  symlinkSync(dir, join(dir, 'deep/up'));
  symlinkSync('nowhere', join(dir, 'dangling'));
  const { matrix, report } = await readTree(dir);
  assert.deepEqual(locations(matrix.entries), ['linked/t', 'own']);
  const noted = report.problems.filter(({ kind }) => kind === 'note').map(({ location }) => location);
  assert.deepEqual(noted.sort(), ['deep/up', 'linked-again']);
});
