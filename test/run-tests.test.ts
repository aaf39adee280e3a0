import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';

const HEAD =
  "import { test } from 'node:test';\nconst wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n";

/** Runs scripts/test.mjs over compiled tests of a folder of its own. */
function runTests(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-tests-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, code] of Object.entries(files)) {
    for (const path of [`dist/${name}.test.js`, `${name}.test.ts`]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), HEAD + code);
    }
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const script = join(process.cwd(), 'scripts/test.mjs');
  return spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
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
  const [, end = ''] = stdout.split('Failed (told in full above):\n');
  assert.match(end, /outer > inner\n {4}Error: no\n/);
  const failed = end.split('\n').filter((line) => line.startsWith('✖'));
  assert.deepEqual(failed.sort(), [
    '✖ src/core/fails.test.js:3  outer > inner',
    '✖ src/core/unloadable.test.js  can be loaded',
    '✖ test/empty.test.js  the process ended with exit code 0 before its tests were done',
    '✖ test/ends.test.js  the process ended with exit code 0 before its tests were done',
    '✖ test/killed.test.js  the process ended with SIGKILL before its tests were done',
    '✖ test/late.test.js  the process ended with exit code 3 though no test failed',
    '✖ test/never.test.js:3  never',
  ]);
  assert.match(stdout, /Error: not loaded/);
});

test('a file that fails beside others and passes alone is told as unsteady', (t) => {
  const { status, stdout } = runTests(t, {
    'test/good': "test('good', () => {});",
    'test/unsteady': `import { existsSync, writeFileSync } from 'node:fs';
test('second time only', () => {
  if (existsSync('been')) return;
  writeFileSync('been', '');
  throw new Error('not yet');
});`,
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\nOnce more, alone: test\/unsteady\.test\.js\n/);
  assert.match(
    stdout,
    /\nUnsteady: .*\n✖ test\/unsteady\.test\.js:\d+ {2}second time only\n {4}Error: not yet\n/,
  );
  assert.match(stdout, /\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\n/);
});
