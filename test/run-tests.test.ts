import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';

const HEAD =
  "import { test } from 'node:test';\nconst wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n";

/** Runs scripts/test.mjs over compiled tests of a folder of its own, and perhaps a list of unsteady ones. */
function runTests(t: TestContext, files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-tests-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const isList = name.endsWith('.json');
    for (const path of isList ? [name] : [`dist/${name}.test.js`, `${name}.test.ts`]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), isList ? text : HEAD + text);
    }
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const script = join(process.cwd(), 'scripts/test.mjs');
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
}

test('green files are counted together, and what is left out says why', (t) => {
  const { status, stdout } = runTests(t, {
    'src/core/one': "test('one', () => {});",
    'src/core/two': "test('two', () => {}); test('three', { skip: 'no moon: wait for it' }, () => {});",
    'test/e2e/four': "test('four', async (t) => { await t.test('within', () => {}); });",
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /2 files, src\/core\/one\.test\.js to src\/core\/two\.test\.js \(3 tests/);
  assert.match(stdout, /three .*# no moon: wait for it\n/);
  assert.match(stdout, /\nℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\n/);
  assert.match(stdout, /slowest:\n +\d+\.\d s/);
});

test('whatever way a file breaks, the run fails and names it', (t) => {
  const { status, stdout } = runTests(t, {
    'src/core/good': "test('good', () => {});",
    'src/core/fails':
      "test('outer', async (t) => { await t.test('inner', () => { throw new Error('no'); }); });",
    'src/core/unloadable': "throw new Error('not loaded');",
    'test/ends': "test('one', () => {}); test('two', async () => { await wait(20); process.exit(0); });",
    'test/killed': "test('one', () => wait(20).then(() => process.kill(process.pid, 'SIGKILL')));",
    'test/late': "test('one', () => {}); process.on('exit', () => { process.exitCode = 3; });",
    'test/never': "test('never', () => new Promise(() => {}));",
    'test/empty': '',
  });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /✖ src\/core\/fails.test.js:3 {2}outer > inner\n {4}Error: no\n/);
  assert.deepEqual(failedIn(stdout), [
    '✖ dist/src/core/unloadable.test.js can be loaded',
    '✖ src/core/fails.test.js:3  outer > inner',
    '✖ test/empty.test.js  the process ended with exit code 0 before its tests were done',
    '✖ test/ends.test.js  the process ended with exit code 0 before its tests were done',
    '✖ test/killed.test.js  the process ended with SIGKILL before its tests were done',
    '✖ test/late.test.js  the process ended with exit code 3 after its tests',
    '✖ test/never.test.js:3  never',
  ]);
  assert.match(stdout, /Error: not loaded/);
});

// Node runs after() of all files of a process as soon as no test is left, while others may still be loading.
test('a file with hooks has a process of its own', (t) => {
  const { status, stdout } = runTests(t, {
    'src/core/first': `import { after } from 'node:test';
after(() => wait(600));
test('one', () => {});`,
    'src/core/second': `import { after } from 'node:test';
let isOpen = true;
after(() => { isOpen = false; });
test('two', () => wait(1_000));
test('three', () => { if (!isOpen) throw new Error('closed too early'); });`,
  });
  assert.equal(status, 0, stdout);
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

test('a listed test that fails is reported and does not fail the run', (t) => {
  const listed = { file: 'test/moody.test.ts', since: daysAgo(59), reason: 'asks the weather' };
  const { status, stdout } = runTests(t, {
    'test/good': "test('good', () => {});",
    'test/moody': `test('bad day', () => { throw new Error('rain'); });
test('good day', () => {});
test('week', async (t) => { await t.test('end', () => { throw new Error('snow'); }); });`,
    'test/unsteady.json': JSON.stringify(
      ['bad day', 'good day', 'week > end'].map((name) => ({ ...listed, test: name })),
    ),
  });
  assert.equal(status, 0, stdout);
  const told = `(since ${listed.since}: asks the weather)`;
  assert.deepEqual(linesAfter(stdout, 'Unsteady, listed in test/unsteady.json:'), [
    `✖ failed: test/moody.test.ts  bad day ${told}`,
    `✔ passed: test/moody.test.ts  good day ${told}`,
    `✖ failed: test/moody.test.ts  week > end ${told}`,
  ]);
  assert.match(stdout, /Error: rain/);
  assert.match(stdout, /\nℹ tests 5\nℹ suites 0\nℹ pass 2\nℹ fail 3\n/);
});

test('a test beside a listed one fails the run, and so does the end of its process', (t) => {
  const entry = { test: 'bad day', since: daysAgo(0), reason: 'asks the weather' };
  const fails = "test('bad day', () => { throw new Error('rain'); });";
  const { status, stdout } = runTests(t, {
    'test/two': `${fails} test('other', () => { throw new Error('no'); });`,
    'test/late': `${fails} process.on('exit', () => { process.exitCode = 3; });`,
    'test/unsteady.json': JSON.stringify([
      { ...entry, file: 'test/two.test.ts' },
      { ...entry, file: 'test/late.test.ts' },
    ]),
  });
  assert.equal(status, 1, stdout);
  assert.deepEqual(failedIn(stdout), [
    '✖ test/late.test.js  the process ended with exit code 3 after its tests',
    '✖ test/two.test.js:3  other',
  ]);
});

test('the list itself fails the run where it names no test, is old, or says too little', (t) => {
  const entry = { file: 'test/good.test.ts', test: 'good', since: daysAgo(1), reason: 'asks the weather' };
  const { status, stdout } = runTests(t, {
    'test/good': "test('good', () => {});",
    'test/unsteady.json': JSON.stringify([
      entry,
      { ...entry, test: 'gone' },
      { ...entry, file: 'test/gone.test.ts' },
      { ...entry, since: daysAgo(62) },
      { ...entry, since: 'May' },
      { ...entry, since: daysAgo(-3) },
      { ...entry, reason: '' },
    ]),
  });
  assert.equal(status, 1, stdout);
  assert.deepEqual(linesAfter(stdout, 'Wrong in test/unsteady.json:'), [
    '✖ test/good.test.ts  gone: there is no such test',
    '✖ test/gone.test.ts  good: there is no such file',
    `✖ test/good.test.ts  good: listed since ${daysAgo(62)}, more than 60 days: mend the test`,
    '✖ test/good.test.ts  good: "since" is no day of the past: May',
    `✖ test/good.test.ts  good: "since" is no day of the past: ${daysAgo(-3)}`,
    '✖ test/good.test.ts  good: there is no "reason"',
  ]);
});

test('a run of a part does not ask for the tests of the others', (t) => {
  const entry = { file: 'test/other.test.ts', test: 'other', since: daysAgo(1), reason: 'asks the weather' };
  const { status, stdout } = runTests(
    t,
    {
      'test/good': "test('good', () => {});",
      'test/other': "test('other', () => {});",
      'test/unsteady.json': JSON.stringify([entry]),
    },
    ['good'],
  );
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\nℹ tests 1\n/);
  assert.doesNotMatch(stdout, /[Uu]nsteady/);
});

/** The block below a title. */
function linesAfter(stdout: string, title: string): readonly string[] {
  const [, after = ''] = stdout.split(`\n${title}\n`);
  return after.slice(0, after.indexOf('\n\n')).split('\n');
}

/** The first line of each failure that the end of a run names. */
function failedIn(stdout: string): readonly string[] {
  return linesAfter(stdout, 'Failed (shown in full above):')
    .filter((line) => line.startsWith('✖'))
    .sort();
}
