import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { readHome } from './read-home.ts';

function homeOf(t: TestContext, files: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-declared-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return readHome(home, {}, { disk: localDisk, userHome: '/users/me', env: {} });
}

test('directions of the home come first, those of experiments after them, of scripts as of commands', async (t) => {
  const { home, problems } = await homeOf(t, {
    'nightmark.yml': `
directions: { "*/seconds": lower, "*/n": none }
experiments:
  a: { folder: stages, directions: { cpu/*: higher } }
  b: { run: "true" }
`,
    'stages/run.sh': '',
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(home.directions, [
    { pattern: '*/seconds', better: 'lower' },
    { pattern: '*/n', better: 'none' },
    { pattern: 'cpu/*', experiment: 'a', better: 'higher' },
  ]);
});

test('a wrong direction is a problem of its place', async (t) => {
  await assert.rejects(homeOf(t, { 'nightmark.yml': 'directions:\n  a: up\nexperiments: {}\n' }), {
    code: 'CONFIG_INVALID',
    message: /directions\.a: expected one of lower, higher, none/,
  });
});

const CONFIG = '{"tmp_data_dir": "tmp", "backup_dir": "backup", "setup_dir": "setup"}';

test('a dashboard home has them in a file of their own; a broken one is a problem, and declares nothing', async (t) => {
  const good = await homeOf(t, { 'config.json': CONFIG, 'config/directions.yml': '# x\ncpu/*: lower\n' });
  assert.deepEqual([good.home.directions, good.problems], [[{ pattern: 'cpu/*', better: 'lower' }], []]);
  const bad = await homeOf(t, { 'config.json': CONFIG, 'config/directions.yml': 'cpu/*: smaller\n' });
  assert.equal(bad.home.directions, undefined);
  assert.match(bad.problems[0]?.message ?? '', /expected one of lower, higher, none/);
  const empty = await homeOf(t, { 'config.json': CONFIG, 'config/directions.yml': '# nothing yet\n' });
  assert.deepEqual([empty.home.directions, empty.problems], [undefined, []]);
});
