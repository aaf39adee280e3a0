import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBinary } from '../../../test/support/binary.ts';
import { runInProcess } from '../../../test/support/in-process.ts';

const NATIVE = ['.gitignore', 'README.md', 'bench/json.mjs', 'bench/sort.mjs', 'nightmark.yml'];

const init = (cwd: string, ...args: string[]) => runInProcess(['init', ...args], { cwd });

const folder = () => mkdtempSync(join(tmpdir(), 'nightmark-init-'));

/** Files below, without those of Nightmark's own folder. */
function filesOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.nightmark') && statSync(join(dir, path)).isFile())
    .sort();
}

test('makes a home in a new folder and says what to do next', async () => {
  const cwd = folder();
  const { code, stdout, stderr } = await init(cwd, 'a/b');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(filesOf(join(cwd, 'a/b')), NATIVE);
  assert.match(stdout, /nightmark run a\/b .*\n.*nightmark serve a\/b /);
  assert.equal(existsSync(join(cwd, 'a/b/.nightmark-init')), false);
});

test('the default is the current folder, and a name with spaces is quoted', async () => {
  const cwd = folder();
  assert.match((await init(cwd)).stdout, /\n {2}nightmark run {2,}/);
  assert.deepEqual(filesOf(cwd), NATIVE);
  assert.match((await init(cwd, "it's a home")).stdout, /nightmark run 'it'\\''s a home' /);
  assert.deepEqual(filesOf(join(cwd, "it's a home")), NATIVE);
});

test('never overwrites: the error lists what is in the way, and nothing is written', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'README.md'), 'mine');
  const { code, stdout, stderr } = await init(cwd);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /1 of the files are in .* already, nothing was written:\n {2}README\.md\n/);
  assert.match(stderr, /\[INIT_IN_THE_WAY\]/);
  assert.deepEqual(filesOf(cwd), ['README.md']);
});

test('--force writes only what is missing, also beside a link that leads nowhere', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'README.md'), 'mine');
  symlinkSync('nowhere', join(cwd, 'nightmark.yml'));
  const { code, stdout } = await init(cwd, '--force', '--json');
  assert.equal(code, 0);
  const made = JSON.parse(stdout) as { written: string[]; kept: string[] };
  assert.deepEqual(made.kept.sort(), ['README.md', 'nightmark.yml']);
  assert.deepEqual(made.written.sort(), ['.gitignore', 'bench/json.mjs', 'bench/sort.mjs']);
  assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), 'mine');
  assert.equal(existsSync(join(cwd, 'nowhere')), false);
});

test('--dashboard gives stage scripts that can be executed', async () => {
  const cwd = folder();
  assert.equal((await init(cwd, '--dashboard')).code, 0);
  const scripts = filesOf(cwd).filter((file) => file.endsWith('.sh'));
  assert.deepEqual(scripts, [
    'experiments/sorting/analyze.sh',
    'experiments/sorting/run.sh',
    'experiments/sorting/summarize.sh',
    'experiments/sorting/visualize.sh',
    'subsystem/report/run.sh',
  ]);
  for (const script of scripts) assert.equal(statSync(join(cwd, script)).mode & 0o111, 0o111, script);
});

test('refuses to make two homes of one folder', async () => {
  const cwd = folder();
  assert.equal((await init(cwd)).code, 0);
  assert.match(
    (await init(cwd, '--dashboard', '--force')).stderr,
    /has nightmark\.yml[\s\S]*\[INIT_OTHER_LAYOUT\]/,
  );
});

test('a file in the way is named, wherever it is', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'file'), '');
  for (const dir of ['file', 'file/below', 'file/far/below']) {
    assert.match((await init(cwd, dir)).stderr, /\/file is a file[\s\S]*\[INIT_NOT_A_FOLDER\]/);
  }
  mkdirSync(join(cwd, 'home'));
  writeFileSync(join(cwd, 'home/bench'), '');
  assert.match((await init(cwd, 'home', '--force')).stderr, /home\/bench is a file where a folder is needed/);
  assert.deepEqual(filesOf(join(cwd, 'home')), ['bench']);
});

test('a folder that may not be written to is named', async (t) => {
  const cwd = folder();
  chmodSync(cwd, 0o555);
  // Root may write where modes forbid it, but not into the kernel's own tree.
  const closed = process.getuid?.() === 0 ? '/sys' : cwd;
  if (!existsSync(closed)) return t.skip('root, and there is no /sys');
  const { code, stderr } = await init(cwd, join(closed, 'home'));
  assert.equal(code, 1);
  assert.match(stderr, /No permission for .*\[DISK_DENIED\]/s);
});

test('helpers prints the folder of the kit, also as JSON', async () => {
  const kit = join(process.cwd(), 'kit');
  assert.equal((await runBinary(['helpers'])).stdout, `${kit}\n`);
  assert.deepEqual(JSON.parse((await runInProcess(['helpers', '--json'])).stdout), { helpers: kit });
  assert.ok(existsSync(join(kit, 'bash/common.sh')));
});
