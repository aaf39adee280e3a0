import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import { runInProcess } from '../support/in-process.ts';
import { addFiles, makeTree, tinyTest } from '../support/result-tree.ts';

const cwd = mkdtempSync(join(tmpdir(), 'nightmark-matrix-golden-'));
after(() => rmSync(cwd, { recursive: true }));
cpSync('test/golden/matrix/results', join(cwd, 'results'), { recursive: true });

const WORKLOAD = join(process.cwd(), 'dist/test/support/tiny-workload.js');
const parse = (...args: readonly string[]) =>
  runInProcess(['matrix', 'parse', 'results', '--workload', WORKLOAD, ...args], { cwd });
const byLocation = (a: JsonObject, b: JsonObject) => (String(a['location']) < String(b['location']) ? -1 : 1);

/** The payload is made by another part of the program. */
function withoutPayload(entry: JsonObject): JsonObject {
  const { lts: _, ...results } = entry['results'] as JsonObject;
  return { ...entry, results };
}

test('the golden tree gives the entries of the original, cold and warm, compact and pretty', async () => {
  const expected: JsonObject[] = JSON.parse(
    readFileSync('test/golden/matrix/expected/internal_matrix.json', 'utf8'),
  );
  for (const args of [['--json'], ['--json', '--pretty'], ['--output', '-', '--no-cache']]) {
    const { code, stdout } = await parse(...args);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).sort(byLocation), expected.map(withoutPayload).sort(byLocation));
  }
});

test('the workload files of the examples read the golden tree whole', async () => {
  const fields: unknown[] = [];
  for (const name of ['tiny.workload.yml', 'tiny.workload.mjs']) {
    const file = join(process.cwd(), 'examples/matrix-tiny', name);
    const argv = ['matrix', 'parse', 'results', '-w', file, '--json', '--strict'];
    const { code, stdout, stderr } = await runInProcess(argv, { cwd });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /4 entries of 7 test directories: 4 complete/);
    const entries: JsonObject[] = JSON.parse(stdout);
    fields.push(entries.map((entry) => (entry['results'] as JsonObject)['throughput']));
  }
  assert.deepEqual(fields[0], [100, 210, 50, 400]);
});

test('the text shows settings with their values, and counts', async () => {
  const { code, stdout, stderr } = await parse('--no-cache');
  assert.equal(code, 0);
  assert.equal(
    stdout,
    'version              1.13.0\nmodel_name           m1, m2\nvirtual_users        4, 16, 128\n' +
      '4 entries of 7 test directories: 4 complete, 3 unfinished or skipped.\n',
  );
  assert.match(stderr, /results\/expe\/091__no_exit: it has no exit_code/);
});

test('filters as recorded: two of four, none, and no filter at all', async () => {
  const two = await parse('--filter', 'model_name=m1,virtual_users=4:16', '--json');
  assert.equal(JSON.parse(two.stdout).length, 2);
  const none = await parse('--filter', 'model_name=zz');
  assert.equal(none.code, 1);
  assert.match(
    none.stderr,
    /No entries found in \S+\. Of 7 test directories: 6 filtered out, 1 without a usable exit_code/,
  );
  const bad = await parse('--filter', 'abc');
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /"abc" is not of the form key=value/);
});

test('a file is written whole and the text goes to the standard output', async () => {
  const { stdout } = await parse('-o', 'out.json', '--jobs', '1');
  assert.match(stdout, /^version/);
  assert.equal(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')).length, 4);
  assert.equal((await parse('-o', 'none.json', '--filter', 'model_name=zz')).code, 1);
  assert.equal(existsSync(join(cwd, 'none.json')), false);
  assert.equal((await parse('--jobs', 'x')).code, 1);
});

test('repetitions are gathered behind the entries, which all have every key', async () => {
  const dir = makeTree({ ...tinyTest('r/a', '"@run": 1\nm: x\n'), ...tinyTest('r/b', '"@run": 2\nm: x\n') });
  addFiles(dir, tinyTest('r/c', 'm: y\nother: 1\n'));
  for (const args of [[], ['--no-cache']]) {
    const argv = ['matrix', 'parse', 'r', '-w', WORKLOAD, '--json', ...args];
    const { stdout, stderr } = await runInProcess(argv, { cwd: dir });
    const entries: JsonObject[] = JSON.parse(stdout);
    assert.deepEqual(
      entries.map((entry) => entry['is_gathered']),
      [false, false, false, true],
    );
    assert.deepEqual(entries[2]?.['settings'], { m: 'y', other: 1, '@run': null });
    const gathered = entries[3] as JsonObject;
    assert.deepEqual(gathered['settings'], { '@run': '<all>', m: 'x', other: null });
    assert.deepEqual(gathered['gathered_keys'], { '@run': [1, 2] });
    assert.equal(gathered['exit_code'], null);
    assert.equal(gathered['location'], 'r/a');
    assert.deepEqual(gathered['results'], entries.slice(0, 2));
    assert.match(stderr, /@run +1, 2, <all>, None/);
    assert.match(stderr, /3 entries and 1 gathered of 3 test directories/);
  }
});

test('--strict makes an incomplete test an error, after everything was written', async () => {
  const dir = makeTree({ 'r/a/settings.yaml': 'n: 1\n', 'r/a/exit_code': '0\n' });
  const argv = ['matrix', 'parse', 'r', '-w', WORKLOAD, '--json'];
  const lenient = await runInProcess(argv, { cwd: dir });
  const strict = await runInProcess([...argv, '--strict'], { cwd: dir });
  assert.deepEqual([lenient.code, strict.code], [0, 1]);
  assert.equal(strict.stdout, lenient.stdout);
  assert.equal(JSON.parse(strict.stdout)[0].problems.length, 3);
});

test('a folder that is not there is reported', async () => {
  const { code, stderr } = await runInProcess(['matrix', 'parse', 'nothing', '-w', WORKLOAD], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /There is no folder nothing/);
});
