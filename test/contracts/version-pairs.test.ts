import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import processExecutor from '../../src/executors/adapters/process/process.ts';
import { gitSources } from '../../src/git/adapters/git.ts';
import type { PairRequest, PairStep } from '../../src/git/core/version-pairs.ts';

const module = new URL('../../src/git/adapters/git.js', import.meta.url).href;
// A blank, a quote and a letter beyond ASCII: paths go through as they are.
const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "nightmark pairs' ü-")));
after(() => fs.rmSync(base, { recursive: true, force: true }));

const env = { PATH: process.env['PATH'] ?? '', HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
const never = new AbortController().signal;
const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];

function git(dir: string, ...args: string[]): string {
  const all = ['-C', dir, ...author, '-c', 'protocol.file.allow=always', ...args];
  return execFileSync('git', all, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

let count = 0;

/** main has "first" and then "second"; the branch work, checked out, left main at "first" and has "own". */
function newRepository() {
  const dir = join(base, `repository ${count++}`);
  fs.mkdirSync(dir);
  git(dir, 'init', '--quiet');
  const write = (path: string, text: string) => fs.writeFileSync(join(dir, path), text);
  const commit = (text: string) => {
    write('value.txt', text);
    git(dir, 'add', '-A');
    git(dir, 'commit', '--quiet', '--allow-empty', '-m', text);
    return git(dir, 'rev-parse', 'HEAD');
  };
  write('.gitignore', 'ignored\nbuilt*\n');
  const first = commit('first');
  git(dir, 'tag', 'v1');
  const second = commit('second');
  git(dir, 'checkout', '--quiet', '-b', 'work', first);
  const own = commit('own');
  return { dir, write, commit, first, second, own };
}

function newRequest(dir: string, more: Partial<PairRequest> = {}) {
  const steps: PairStep[] = [];
  const request: PairRequest = {
    dir,
    ref: 'main',
    base: 'merge-base',
    cacheDir: join(base, `cache ${count++}`),
    env,
    report: (step) => void steps.push(step),
    ...more,
  };
  return { request, steps };
}

const build = (command: string, more = {}) => ({ command, in: 'root' as const, again: false, ...more });
const read = (...path: string[]) => fs.readFileSync(join(...path), 'utf8');
const named = (steps: readonly PairStep[]) =>
  steps.map(({ step }) => step).filter((step) => step !== 'found');

/** Everything of a repository: names, kinds, times and contents of all its files. */
function stateOf(dir: string): readonly string[] {
  const paths = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  return paths.map((path) => {
    const facts = fs.lstatSync(join(dir, path));
    if (!facts.isFile()) return `${path} ${facts.mode}`;
    const hash = createHash('sha256')
      .update(fs.readFileSync(join(dir, path)))
      .digest('hex');
    // git marks objects that somebody still needs by their time.
    return `${path} ${facts.mode} ${hash} ${path.includes('objects/') ? '' : facts.mtimeMs}`;
  });
}

const pairs = gitSources(processExecutor);
const prepare = (request: PairRequest) => pairs.preparePair(request, never);

test('git 1: A is where the working tree left the branch, B is the working tree as it is', async () => {
  const { dir, write, first, own } = newRepository();
  write('value.txt', 'staged');
  git(dir, 'add', 'value.txt');
  write('value.txt', 'changed');
  write('new file', 'new');
  write('ignored', 'no');
  write('script', '#!/bin/sh\n');
  fs.chmodSync(join(dir, 'script'), 0o755);
  fs.symlinkSync('value.txt', join(dir, 'link'));
  const before = stateOf(dir);
  const { request, steps } = newRequest(dir);
  const { sides, root, prefix } = await prepare(request);
  assert.deepEqual(stateOf(dir), before, 'the repository is as it was, to the byte');
  assert.deepEqual([root, prefix], [dir, '']);
  assert.equal(read(sides.A.dir, 'value.txt'), 'first');
  assert.equal(read(sides.B.dir, 'value.txt'), 'changed');
  assert.equal(read(sides.B.dir, 'new file'), 'new');
  assert.ok(!fs.existsSync(join(sides.B.dir, 'ignored')) && !fs.existsSync(join(sides.A.dir, 'new file')));
  assert.ok(fs.statSync(join(sides.B.dir, 'script')).mode & 0o100);
  assert.equal(fs.readlinkSync(join(sides.B.dir, 'link')), 'value.txt');
  assert.equal(sides.A.commit, first);
  assert.deepEqual([sides.A.subject, sides.A.isChanged], ['first', false]);
  assert.equal(sides.B.commit, own);
  assert.deepEqual([sides.B.subject, sides.B.isChanged], ['own', true]);
  assert.match(sides.A.date, /^\d{4}-\d\d-\d\dT/);
  assert.equal(git(sides.A.dir, 'rev-parse', '--short', 'HEAD'), sides.A.shortCommit);
  assert.equal(git(sides.B.dir, 'status', '--porcelain'), '');
  assert.equal(git(sides.B.dir, 'describe', '--tags').split('-')[0], 'v1');
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['found'],
  );
});

test('git 1: the revision itself, a deleted file, and a folder below the root', async () => {
  const { dir, write, second } = newRepository();
  fs.mkdirSync(join(dir, 'deep/er'), { recursive: true });
  write('deep/er/file', 'x');
  git(dir, 'add', '-A');
  git(dir, 'commit', '--quiet', '-m', 'deep');
  fs.rmSync(join(dir, 'value.txt'));
  const { request } = newRequest(join(dir, 'deep/er'), { base: 'ref' });
  await assert.rejects(prepare(request), ({ code, message }) => {
    return code === 'DUET_NO_FOLDER' && /^A \(the baseline, \w+\) has no folder deep\/er\.$/.test(message);
  });
  const { sides, prefix } = await prepare({ ...request, ref: 'work' });
  assert.equal(prefix, 'deep/er');
  assert.ok(fs.existsSync(join(sides.A.dir, 'value.txt')) && !fs.existsSync(join(sides.B.dir, 'value.txt')));
  const { sides: plain } = await prepare({ ...request, dir });
  assert.equal(plain.A.commit, second);
});

test('git 1: a clean working tree is its commit', async () => {
  const { dir, own } = newRepository();
  const { sides } = await prepare(newRequest(dir).request);
  assert.deepEqual([sides.B.commit, sides.B.isChanged], [own, false]);
  assert.equal(git(sides.B.dir, 'rev-parse', 'HEAD'), own);
});

test('git 1: a linked worktree, a merge with conflicts and settings of the repository', async () => {
  const { dir, commit } = newRepository();
  git(dir, 'config', 'core.autocrlf', 'true');
  const linked = join(base, `linked ${count++}`);
  git(dir, 'worktree', 'add', '--quiet', '-b', 'other', linked, 'main');
  fs.writeFileSync(join(linked, 'lines'), 'a\r\nb\r\n');
  assert.throws(() => git(linked, 'merge', '--quiet', 'work'));
  fs.writeFileSync(join(linked, 'value.txt'), 'half resolved');
  const before = [stateOf(dir), stateOf(linked)];
  const { sides, root } = await prepare(newRequest(linked, { ref: 'v1' }).request);
  assert.deepEqual([stateOf(dir), stateOf(linked)], before);
  assert.equal(root, linked);
  assert.equal(read(sides.B.dir, 'value.txt'), 'half resolved');
  assert.equal(read(sides.B.dir, 'lines'), 'a\r\nb\r\n');
  assert.equal(git(sides.B.dir, 'status', '--porcelain'), '');
  commit('the other worktree goes on');
});

test('git 1: submodules are there on both sides, changes in them included', async () => {
  const [outer, middle, inner] = [newRepository(), newRepository(), newRepository()];
  git(middle.dir, 'submodule', '--quiet', 'add', inner.dir, 'inner');
  git(middle.dir, 'commit', '--quiet', '-m', 'add inner');
  git(outer.dir, 'submodule', '--quiet', 'add', '--name', 'named/otherwise', middle.dir, 'libs/middle');
  git(outer.dir, 'submodule', '--quiet', 'update', '--init', '--recursive');
  git(outer.dir, 'commit', '--quiet', '-m', 'add middle');
  git(outer.dir, 'branch', 'with-modules');
  const { request } = newRequest(outer.dir, { ref: 'with-modules' });
  await assert.rejects(prepare(request), { code: 'DUET_NOTHING_TO_COMPARE' });

  const deep = join(outer.dir, 'libs/middle/inner/value.txt');
  fs.writeFileSync(deep, 'changed deep inside');
  const before = stateOf(outer.dir);
  const { sides } = await prepare(request);
  assert.deepEqual(stateOf(outer.dir), before);
  assert.equal(read(sides.A.dir, 'libs/middle/inner/value.txt'), 'own');
  assert.equal(read(sides.B.dir, 'libs/middle/inner/value.txt'), 'changed deep inside');
  assert.equal(sides.B.isChanged, true);

  fs.writeFileSync(deep, 'changed again');
  assert.equal(read((await prepare(request)).sides.B.dir, 'libs/middle/inner/value.txt'), 'changed again');

  git(outer.dir, 'submodule', '--quiet', 'deinit', '--force', '--all');
  git(outer.dir, 'rm', '--quiet', 'libs/middle');
  const without = await prepare(request);
  assert.equal(read(without.sides.A.dir, 'libs/middle/inner/value.txt'), 'own', 'kept by git');
  assert.ok(!fs.existsSync(join(without.sides.B.dir, 'libs/middle/value.txt')));
});

test('git 2: the repository is as it was also after a failure', async () => {
  const { dir, write } = newRepository();
  write('new', 'new');
  git(dir, 'stash', 'push', '--quiet', '--include-untracked');
  write('value.txt', 'changed');
  const before = stateOf(dir);
  await assert.rejects(prepare(newRequest(dir, { build: build('exit 7') }).request));
  await assert.rejects(prepare(newRequest(dir, { ref: 'nothing' }).request));
  assert.deepEqual(stateOf(dir), before);
});

test('git 3: both are built in folders of the same length, once', async () => {
  const { dir, write } = newRepository();
  write('value.txt', 'changed');
  const counter = join(base, `builds ${count++}`);
  const command = 'cp value.txt built; echo "$PWD" >> "$COUNTER"; echo built >> value.txt';
  const { request, steps } = newRequest(dir, { build: build(command), env: { ...env, COUNTER: counter } });
  const { sides, release } = await prepare(request);
  assert.deepEqual([read(sides.A.dir, 'built'), read(sides.B.dir, 'built')], ['first', 'changed']);
  assert.equal(sides.A.dir.length, sides.B.dir.length);
  assert.equal(read(counter), `${sides.A.dir}\n${sides.B.dir}\n`);
  assert.deepEqual(named(steps), ['building', 'building']);
  await release();

  assert.deepEqual((await prepare(request)).sides, sides);
  assert.deepEqual(named(steps.splice(0)).slice(2), ['reused', 'reused']);
  write('value.txt', 'changed more');
  assert.equal(read((await prepare(request)).sides.B.dir, 'built'), 'changed more');
  assert.deepEqual(named(steps.splice(0)), ['reused', 'building']);
  write('value.txt', 'changed');
  await prepare(request);
  assert.deepEqual(named(steps.splice(0)), ['reused', 'reused'], 'there and back');
  fs.appendFileSync(join(sides.A.dir, 'value.txt'), 'by hand');
  await prepare({ ...request, build: build(`${command} `) });
  assert.deepEqual(named(steps.splice(0)), ['building', 'building'], 'another command');
  await prepare(request);
  assert.deepEqual(named(steps.splice(0)), ['building', 'reused'], 'touched since');
  await prepare({ ...request, build: build(command, { again: true }) });
  assert.deepEqual(named(steps.splice(0)), ['building', 'building'], 'asked to');
  const kept = fs.readdirSync(join(sides.A.dir, '..'), { withFileTypes: true });
  assert.ok(kept.filter((it) => it.isDirectory()).length <= 8, kept.map((it) => it.name).join(' '));
});

test('git 3: builds below the root where that is asked for', async () => {
  const { dir, write, commit } = newRepository();
  fs.mkdirSync(join(dir, 'part'));
  write('part/file', 'x');
  commit('with part');
  git(dir, 'branch', 'with-part');
  write('part/file', 'y');
  const below = build('cat file > built-here', { in: 'dir' });
  const { request } = newRequest(join(dir, 'part'), { ref: 'with-part', build: below });
  const { sides } = await prepare(request);
  assert.deepEqual([read(sides.A.dir, 'part/built-here'), read(sides.B.dir, 'part/built-here')], ['x', 'y']);
});

test('git 4: what cannot be compared is said', async () => {
  const { dir, commit } = newRepository();
  const plain = join(base, `plain ${count++}`);
  fs.mkdirSync(plain);
  const code = async (request: PairRequest) => {
    const error = await prepare(request).then(
      () => assert.fail('it was prepared'),
      (it) => it,
    );
    return `${error.code}: ${error.message} ${error.hint}`;
  };
  assert.match(await code(newRequest(plain).request), /^DUET_NO_REPOSITORY: .* is not in a git working tree/);
  assert.match(await code(newRequest(join(plain, 'x')).request), /^DUET_NO_REPOSITORY/);
  git(plain, 'init', '--quiet');
  assert.match(await code(newRequest(plain).request), /^DUET_UNKNOWN_REF/);
  git(dir, 'update-ref', 'refs/remotes/origin/develop', 'HEAD');
  assert.match(await code(newRequest(dir, { ref: 'man' }).request), /^DUET_UNKNOWN_REF: .* It has: main, /);
  assert.match(await code(newRequest(dir, { ref: 'develop' }).request), /It has: origin\/develop\.$/);
  for (const ref of ['', '--all', 'a b', 'x\ny'])
    assert.match(await code(newRequest(dir, { ref }).request), /^DUET_UNKNOWN_REF/, ref);
  assert.match(
    await code(newRequest(dir, { ref: 'HEAD' }).request),
    /^DUET_NOTHING_TO_COMPARE: The working tree is the same as the commit that it shares with HEAD/,
  );
  commit('own');
  assert.match(
    await code(newRequest(dir, { ref: 'HEAD~1', base: 'ref' }).request),
    /^DUET_NOTHING_TO_COMPARE: The working tree is the same as HEAD~1/,
    'another commit with the same content',
  );
  git(dir, 'checkout', '--quiet', '--orphan', 'lonely');
  git(dir, 'commit', '--quiet', '--allow-empty', '-m', 'lonely');
  fs.writeFileSync(join(dir, 'value.txt'), 'lonely');
  assert.match(await code(newRequest(dir).request), /^DUET_NO_MERGE_BASE: .* --base ref\.$/);
  assert.ok(await prepare(newRequest(dir, { base: 'ref' }).request));
});

test('git 4: a shallow clone compares as far as it goes', async () => {
  const { dir, commit } = newRepository();
  commit('third');
  const clone = join(base, `clone ${count++}`);
  const address = pathToFileURL(dir).href;
  git(base, 'clone', '--quiet', '--depth', '1', '--no-single-branch', address, clone);
  const { request } = newRequest(clone, { ref: 'origin/main' });
  await assert.rejects(prepare(request), ({ code, hint }) => {
    return code === 'DUET_SHALLOW' && /git fetch --unshallow/.test(hint);
  });
  await assert.rejects(prepare({ ...request, ref: 'nowhere' }), ({ code, hint }) => {
    return code === 'DUET_UNKNOWN_REF' && /The clone is shallow/.test(hint);
  });
  const { sides } = await prepare({ ...request, base: 'ref' });
  assert.deepEqual([read(sides.A.dir, 'value.txt'), read(sides.B.dir, 'value.txt')], ['second', 'third']);
});

test('git 4: a failed build names its side and shows the end of its log', async () => {
  const { dir } = newRepository();
  const command = 'echo compiling; grep -q own value.txt || { echo "no such header" >&2; exit 3; }';
  const { request, steps } = newRequest(dir, { build: build(command) });
  await assert.rejects(prepare(request), ({ code, message, hint }) => {
    const logFile = /The whole output: (.*)/.exec(hint)?.[1] ?? '';
    return (
      code === 'DUET_BUILD_FAILED' &&
      /^A \(the baseline, \w+\) could not be built by /.test(message) &&
      message.endsWith('compiling\nno such header') &&
      /no such header\n# exit code 3/.test(read(logFile))
    );
  });
  const other = command.replace('own', 'first');
  await assert.rejects(prepare({ ...request, build: build(other) }), /^NightmarkError: B \(\w+\) could not/);
  await prepare({ ...request, build: build('true') });
  assert.deepEqual(named(steps), ['building', 'building', 'building', 'building', 'building']);
});

test('git 5: a cancel ends the build with all it started, and the next time works', async () => {
  const { dir } = newRepository();
  const pidFile = join(base, `pid ${count++}`);
  const slow = build('sleep 600 & echo $! > "$PID_FILE"; wait');
  const { request } = newRequest(dir, { build: slow, env: { ...env, PID_FILE: pidFile } });
  const abort = new AbortController();
  const preparing = pairs.preparePair(request, abort.signal);
  await filled(pidFile);
  abort.abort();
  await assert.rejects(preparing, { code: 'SOURCE_INTERRUPTED' });
  assert.ok(!isRunning(read(pidFile).trim()));
  assert.ok(await prepare({ ...request, build: build('true') }));
});

test('git 5: what a killed process left is removed by the next one', async () => {
  const { dir } = newRepository();
  const pidFile = join(base, `pid ${count++}`);
  const slow = build('echo $$ > "$PID_FILE"; sleep 600');
  const { request } = newRequest(dir, { build: slow, env: { ...env, PID_FILE: pidFile } });
  const executor = new URL('../../src/executors/adapters/process/process.js', import.meta.url).href;
  const script = `
      const { gitSources: open } = await import(${JSON.stringify(module)});
      const { default: executor } = await import(${JSON.stringify(executor)});
      const request = { ...JSON.parse(process.argv[1]), report() {} };
      await open(executor).preparePair(request, new AbortController().signal);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(request)]);
  await filled(pidFile);
  const root = join(
    request.cacheDir,
    fs.readdirSync(request.cacheDir).find((it) => !it.endsWith('.log')) ?? '',
  );
  assert.ok(fs.readdirSync(root).some((name) => name.startsWith('.tmp-')));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('close', resolve));
  const { release } = await prepare({ ...request, build: build('true') });
  await release();
  const left = fs.readdirSync(root).filter((name) => !/^[0-9a-f]{40}-[0-9a-f]{8}(\.json|\.log)?$/.test(name));
  assert.deepEqual(
    left.filter((name) => !name.startsWith('lock.dead-')),
    [],
  );
});

async function filled(file: string): Promise<void> {
  while (!fs.existsSync(file) || read(file) === '') await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A zombie that nobody has collected yet does not run. */
function isRunning(pid: string): boolean {
  const stat = fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  return stat !== '' && !/\) [ZX] /.test(stat);
}
