import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import processExecutor from '../../src/executors/adapters/process/process.ts';
import { gitSources } from '../../src/git/adapters/git.ts';
import type { Checkout, Source, SourceRequest } from '../../src/git/core/source-control.ts';

const module = new URL('../../src/git/adapters/git.js', import.meta.url).href;
// A blank, a quote and a letter beyond ASCII: paths go through as they are.
const base = realpathSync(mkdtempSync(join(tmpdir(), "nightmark sources' ü-")));
after(() => rmSync(base, { recursive: true, force: true }));

const env = { PATH: process.env['PATH'] ?? '', HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
const never = new AbortController().signal;
const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];

function git(dir: string, ...args: string[]): string {
  const all = ['-C', dir, ...author, '-c', 'protocol.file.allow=always', ...args];
  return execFileSync('git', all, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

let repositories = 0;

/** A new repository with one commit on main. */
function newRepository(): { readonly dir: string; commit(text: string): string } {
  const dir = join(base, `origin ${repositories++}`);
  mkdirSync(dir);
  git(dir, 'init', '--quiet');
  const commit = (text: string) => {
    writeFileSync(join(dir, 'value.txt'), text);
    git(dir, 'add', '-A');
    git(dir, 'commit', '--quiet', '--allow-empty', '-m', text);
    return git(dir, 'rev-parse', 'HEAD');
  };
  commit('first');
  return { dir, commit };
}

let caches = 0;

function newRequest(source: Partial<Source>, rest: Partial<SourceRequest> = {}): SourceRequest {
  const cacheDir = rest.cacheDir ?? join(base, `cache ${caches++}`);
  return {
    source: { name: 'my source', git: base, skipWhenUnchanged: false, keep: 2, ...source },
    cacheDir,
    logFile: join(cacheDir, 'source.log'),
    fetch: true,
    env,
    ...rest,
  };
}

const value = (checkout: Checkout) => readFileSync(join(checkout.dir, 'value.txt'), 'utf8');
const log = (request: SourceRequest) => readFileSync(request.logFile, 'utf8');

const control = gitSources(processExecutor);
const prepare = (request: SourceRequest) => control.prepare(request, never);

test('git 1: gives exactly the commit it names, built, on its branch, with the real origin', async () => {
  const { dir, commit } = newRepository();
  const newest = commit('second');
  for (const url of [dir, pathToFileURL(dir).href]) {
    const build = 'echo "$NIGHTMARK_SOURCE_DIR|$WORD|$(cat value.txt)" > built';
    const request = newRequest({ git: url, build }, { env: { ...env, WORD: 'a b' } });
    const checkout = await prepare(request);
    assert.equal(checkout.commit, newest);
    assert.equal(checkout.shortCommit, git(dir, 'rev-parse', '--short', 'HEAD'));
    assert.equal(value(checkout), 'second');
    assert.equal(readFileSync(join(checkout.dir, 'built'), 'utf8'), `${checkout.dir}|a b|second\n`);
    assert.equal(git(checkout.dir, 'rev-parse', 'HEAD'), newest);
    assert.equal(git(checkout.dir, 'rev-parse', '--abbrev-ref', 'HEAD'), 'main');
    assert.equal(git(checkout.dir, 'remote', 'get-url', 'origin'), url);
    assert.match(log(request), /\$ git .*fetch/);
  }
});

test('git 5: names the commit of a branch, a tag or the default branch, and changes nothing', async () => {
  const { dir, commit } = newRepository();
  const first = git(dir, 'rev-parse', 'HEAD');
  git(dir, 'tag', '-a', 'v1', '-m', 'annotated');
  git(dir, 'branch', 'side/refs/heads/main');
  const newest = commit('second');
  const { source } = newRequest({ git: dir });
  const tip = (ref?: string) => control.tip(ref === undefined ? source : { ...source, ref }, never);
  assert.equal(await tip(), newest);
  assert.equal(await tip('main'), newest);
  assert.equal(await tip('v1'), first);
  assert.equal(await tip('refs/tags/v1'), first);
  assert.equal(await tip(first.slice(0, 10)), first.slice(0, 10));
  const nowhere = { ...source, git: join(base, 'nowhere') };
  await assert.rejects(control.tip(nowhere, never), { code: 'SOURCE_FETCH_FAILED' });
  await assert.rejects(control.tip({ ...source, git: '--upload-pack=x' }, never), {
    code: 'SOURCE_INVALID',
  });
});

test('git 1: a commit that was built before is used again, a new one is fetched and built', async () => {
  const { dir, commit } = newRepository();
  const counter = join(base, `builds-${caches}`);
  const request = newRequest({ git: dir, build: `echo x >> '${counter.replaceAll("'", "'\\''")}'` });
  const first = await prepare(request);
  assert.deepEqual(await prepare(request), first);
  assert.equal(readFileSync(counter, 'utf8'), 'x\n');
  commit('second');
  const second = await prepare(request);
  assert.equal(value(second), 'second');
  assert.equal(value(first), 'first', 'the older checkout is independent');
  assert.equal(readFileSync(counter, 'utf8'), 'x\nx\n');
});

test('git 1: a checkout that was changed since is made again', async () => {
  const { dir } = newRepository();
  const request = newRequest({ git: dir, build: 'echo changed by the build >> value.txt' });
  const checkout = await prepare(request);
  assert.equal(value(await prepare(request)), 'firstchanged by the build\n');
  assert.match(log(request), /was built before/);
  appendFileSync(join(checkout.dir, 'value.txt'), 'changed by hand');
  assert.equal(value(await prepare(request)), 'firstchanged by the build\n');
  git(checkout.dir, 'reset', '--quiet', '--hard');
  git(checkout.dir, 'commit', '--quiet', '--allow-empty', '-m', 'moved');
  assert.equal((await prepare(request)).commit, checkout.commit);
  assert.equal(git(checkout.dir, 'rev-parse', 'HEAD'), checkout.commit);
});

test('git 1: the same commit with another build command is another checkout', async () => {
  const { dir } = newRepository();
  const fast = newRequest({ git: dir, build: 'echo fast > how' });
  const a = await prepare(fast);
  const b = await prepare({ ...fast, source: { ...fast.source, build: 'echo small > how' } });
  assert.equal(readFileSync(join(a.dir, 'how'), 'utf8'), 'fast\n');
  assert.equal(readFileSync(join(b.dir, 'how'), 'utf8'), 'small\n');
});

test('git 1: follows a branch that was rewritten', async () => {
  const { dir, commit } = newRepository();
  commit('wrong');
  const request = newRequest({ git: dir, ref: 'main' });
  assert.equal(value(await prepare(request)), 'wrong');
  git(dir, 'reset', '--quiet', '--hard', 'HEAD~1');
  const right = commit('right');
  assert.equal((await prepare(request)).commit, right);
});

test('git 1: without fetching the newest built checkout of the same revision is used', async () => {
  const { dir, commit } = newRepository();
  const request = newRequest({ git: dir });
  await assert.rejects(prepare({ ...request, fetch: false }), { code: 'SOURCE_NOT_BUILT' });
  const built = await prepare(request);
  commit('second');
  git(dir, 'branch', 'other');
  const other = await prepare({ ...request, source: { ...request.source, ref: 'other' } });
  assert.equal(value(other), 'second');
  assert.deepEqual(await prepare({ ...request, fetch: false }), built);
  const failing = { ...request, source: { ...request.source, build: 'false' } };
  await assert.rejects(prepare({ ...failing, fetch: false }), { code: 'SOURCE_NOT_BUILT' });
  await assert.rejects(prepare(failing), { code: 'SOURCE_BUILD_FAILED' });
  await assert.rejects(prepare({ ...failing, fetch: false }), { code: 'SOURCE_NOT_BUILT' });
});

test('git 1: older checkouts are pruned, those in use are not', async () => {
  const { dir, commit } = newRepository();
  const request = newRequest({ git: dir, keep: 2 });
  git(dir, 'branch', 'pinned');
  const pinned = await prepare({ ...request, source: { ...request.source, ref: 'pinned' } });
  const made = [];
  for (const text of ['a', 'b', 'c', 'd']) {
    commit(text);
    made.push(await prepare(request));
  }
  assert.deepEqual(
    [pinned, ...made].map((it) => existsSync(it.dir)),
    [true, false, false, true, true],
  );
});

test('git 2: a failed fetch is an error, never the older checkout', async () => {
  const { dir } = newRepository();
  const request = newRequest({ git: dir });
  await prepare(request);
  rmSync(dir, { recursive: true });
  await assert.rejects(prepare(request), ({ code, message }) => {
    return code === 'SOURCE_FETCH_FAILED' && message.includes(dir) && /does not (exist|appear)/.test(message);
  });
  const nowhere = newRequest({ git: 'https://user:secret@127.0.0.1:1/nothing.git' });
  await assert.rejects(prepare(nowhere), ({ code, message, hint }) => {
    return code === 'SOURCE_FETCH_FAILED' && !`${message}${hint}`.includes('secret');
  });
  assert.ok(!log(nowhere).includes('secret'));
});

test('git 2: a failed build is an error with its last lines, and is tried again', async () => {
  const { dir } = newRepository();
  const build =
    'touch half-done; for i in 1 2 3; do echo "line $i"; done; echo "no such header" >&2; test -e "$FLAG"';
  const flag = join(base, 'flag');
  const request = newRequest({ git: dir, build }, { env: { ...env, FLAG: flag } });
  const before = await prepare({ ...request, source: { ...request.source, build: 'true' } });
  await assert.rejects(prepare(request), ({ code, message }) => {
    return code === 'SOURCE_BUILD_FAILED' && message.endsWith('line 1\nline 2\nline 3\nno such header');
  });
  assert.match(log(request), /no such header\n# exit code 1/);
  writeFileSync(flag, '');
  const checkout = await prepare(request);
  assert.notEqual(checkout.dir, before.dir);
  assert.ok(existsSync(join(checkout.dir, 'half-done')));
});

test('git 2: a build that switches to another commit is an error', async () => {
  const { dir, commit } = newRepository();
  commit('second');
  await assert.rejects(prepare(newRequest({ git: dir, build: 'git checkout --quiet HEAD~1' })), {
    code: 'SOURCE_BUILD_FAILED',
  });
});

test('git 2: a cancel ends the build with all it started, and the next time works', async () => {
  const { dir } = newRepository();
  const pidFile = join(base, 'pid');
  const build = 'sleep 600 & echo $! > "$PID_FILE"; wait';
  const request = newRequest({ git: dir, build }, { env: { ...env, PID_FILE: pidFile } });
  const abort = new AbortController();
  const preparing = control.prepare(request, abort.signal);
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 20));
  abort.abort();
  await assert.rejects(preparing, { code: 'SOURCE_INTERRUPTED' });
  assert.ok(!isRunning(readFileSync(pidFile, 'utf8').trim()));
  const again = { ...request, source: { ...request.source, build: 'true' } };
  assert.equal(value(await prepare(again)), 'first');
});

test('git 3: understands branches, tags and commits, also short ones', async () => {
  const { dir, commit } = newRepository();
  const first = git(dir, 'rev-parse', 'HEAD');
  git(dir, 'tag', '-a', 'v1.0', '-m', 'annotated');
  git(dir, 'tag', 'light');
  const newest = commit('second');
  git(dir, 'branch', 'feature/with-slash');
  const detached = git(dir, 'commit-tree', '-m', 'loose', `${newest}^{tree}`);
  git(dir, 'update-ref', 'refs/pull/7/head', detached);
  git(dir, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const { cacheDir } = newRequest({});
  const expected: Record<string, readonly [string, string]> = {
    main: [newest, 'main'],
    'refs/heads/main': [newest, 'main'],
    'feature/with-slash': [newest, 'feature/with-slash'],
    'v1.0': [first, 'HEAD'],
    light: [first, 'HEAD'],
    [first]: [first, 'HEAD'],
    [first.slice(0, 9)]: [first, 'HEAD'],
    [detached]: [detached, 'HEAD'],
    'refs/pull/7/head': [detached, 'HEAD'],
  };
  for (const [ref, [wanted, branch]] of Object.entries(expected)) {
    const checkout = await prepare(newRequest({ git: dir, ref }, { cacheDir }));
    assert.equal(checkout.commit, wanted, ref);
    assert.equal(git(checkout.dir, 'rev-parse', '--abbrev-ref', 'HEAD'), branch, ref);
  }
});

test('git 3: the default branch is what the repository says, also when HEAD is detached', async () => {
  const { dir, commit } = newRepository();
  const first = git(dir, 'rev-parse', 'HEAD');
  git(dir, 'checkout', '--quiet', '-b', 'trunk');
  const newest = commit('on trunk');
  const request = newRequest({ git: dir });
  const checkout = await prepare(request);
  assert.equal(checkout.commit, newest);
  assert.equal(git(checkout.dir, 'rev-parse', '--abbrev-ref', 'HEAD'), 'trunk');
  git(dir, 'checkout', '--quiet', '--detach', first);
  assert.equal((await prepare(request)).commit, first);
});

test('git 3: an unknown or ambiguous revision is refused and near ones are named', async () => {
  const { dir } = newRepository();
  git(dir, 'branch', 'develop');
  git(dir, 'branch', 'both');
  git(dir, 'tag', 'both');
  const { cacheDir } = newRequest({});
  const request = (ref: string) => newRequest({ git: dir, ref }, { cacheDir });
  await assert.rejects(prepare(request('devlop')), ({ code, message, hint }) => {
    return (
      code === 'SOURCE_REF_UNKNOWN' && message.includes('"devlop"') && hint.startsWith('It has: develop')
    );
  });
  await assert.rejects(prepare(request('both')), {
    code: 'SOURCE_REF_UNKNOWN',
    hint: 'Use refs/heads/both or refs/tags/both.',
  });
  const odd = [
    '0123456789abcdef0123456789abcdef01234567',
    'dead',
    'refs/pull/1/head',
    'main~1',
    '',
    'a b',
    'x\ny',
  ];
  for (const ref of [...odd, '--upload-pack=touch /tmp/x', 'main:value.txt', 'main..x', '@{-1}']) {
    await assert.rejects(
      prepare(request(ref)),
      ({ code }) => /SOURCE_(REF_UNKNOWN|FETCH_FAILED)/.test(code),
      ref,
    );
  }
  const empty = join(base, 'empty repository');
  mkdirSync(empty);
  git(empty, 'init', '--quiet');
  await assert.rejects(prepare(newRequest({ git: empty })), { code: 'SOURCE_REF_UNKNOWN' });
});

test('git 3: submodules are checked out, those of submodules included', async () => {
  const [outer, middle, inner] = [newRepository(), newRepository(), newRepository()];
  git(middle.dir, 'submodule', '--quiet', 'add', inner.dir, 'inner');
  git(middle.dir, 'commit', '--quiet', '-m', 'add inner');
  git(outer.dir, 'submodule', '--quiet', 'add', middle.dir, 'middle');
  git(outer.dir, 'commit', '--quiet', '-m', 'add middle');
  const checkout = await prepare(newRequest({ git: outer.dir }));
  assert.equal(readFileSync(join(checkout.dir, 'middle/inner/value.txt'), 'utf8'), 'first');
});

test('git 3: hostile names, addresses and transports are refused before anything runs', async () => {
  const witness = join(base, 'witness');
  for (const url of [
    '',
    '-x',
    `--upload-pack=touch ${witness}`,
    `ext::sh -c "touch ${witness}"`,
    'fd::17',
    '../x',
    'a\nb',
  ]) {
    await assert.rejects(prepare(newRequest({ git: url })), { code: 'SOURCE_INVALID' }, JSON.stringify(url));
  }
  for (const name of ['', '.', '..', 'a/b', '../x', '.hidden', 'a\0b']) {
    await assert.rejects(prepare(newRequest({ name })), { code: 'SOURCE_INVALID' }, JSON.stringify(name));
  }
  assert.ok(!existsSync(witness));
});

test('git 4: two processes may prepare the same source at once', async () => {
  const { dir } = newRepository();
  const counter = join(base, 'counter');
  const request = newRequest(
    { git: dir, build: 'echo built >> "$COUNTER"; sleep 0.2' },
    { env: { ...env, COUNTER: counter } },
  );
  const executor = new URL('../../src/executors/adapters/process/process.js', import.meta.url).href;
  const script = `
      const { gitSources: open } = await import(${JSON.stringify(module)});
      const { default: executor } = await import(${JSON.stringify(executor)});
      const request = JSON.parse(process.argv[1]);
      console.log(JSON.stringify(await open(executor).prepare(request, new AbortController().signal)));`;
  const runs = [1, 2, 3].map((number) => {
    const own = JSON.stringify({ ...request, logFile: `${request.logFile}.${number}` });
    return output(process.execPath, ['--input-type=module', '-e', script, own]);
  });
  const answers = await Promise.all(runs);
  const checkout = JSON.parse(answers[0] ?? '') as Checkout;
  assert.equal(value(checkout), 'first');
  assert.deepEqual(answers, [answers[0], answers[0], answers[0]]);
  assert.equal(readFileSync(counter, 'utf8'), 'built\n');
});

test('git: describes what a folder has checked out', async () => {
  const { dir, commit } = newRepository();
  const newest = commit('second');
  mkdirSync(join(dir, 'deeper'));
  writeFileSync(join(dir, 'deeper/untracked'), '');
  const expected = {
    root: dir,
    commit: newest,
    branch: 'main',
    shortCommit: git(dir, 'rev-parse', '--short', 'HEAD'),
  };
  assert.deepEqual(await control.describe(join(dir, 'deeper')), { ...expected, dirty: false });
  appendFileSync(join(dir, 'value.txt'), 'more');
  assert.deepEqual(await control.describe(dir), { ...expected, dirty: true });
  assert.equal(await control.describe(base), undefined);
  assert.equal(await control.describe(join(base, 'nothing here')), undefined);
  assert.equal(await control.describe(join(base, 'empty repository')), undefined);
});

test('git: pulls by fast-forward only', async () => {
  const { dir, commit } = newRepository();
  const clone = join(base, 'clone');
  git(base, 'clone', '--quiet', dir, clone);
  const newest = commit('second');
  const logFile = join(base, 'pull.log');
  assert.equal((await control.pull(clone, logFile, never)).commit, newest);
  assert.equal(readFileSync(join(clone, 'value.txt'), 'utf8'), 'second');
  git(clone, 'commit', '--quiet', '--allow-empty', '-m', 'my own');
  const own = git(clone, 'rev-parse', 'HEAD');
  commit('third');
  await assert.rejects(control.pull(clone, logFile, never), { code: 'SOURCE_PULL_FAILED' });
  assert.equal(git(clone, 'rev-parse', 'HEAD'), own);
  await assert.rejects(control.pull(base, logFile, never), { code: 'SOURCE_PULL_FAILED' });
});

/** A zombie that nobody has collected yet does not run. */
function isRunning(pid: string): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  return stat !== '' && !/\) [ZX] /.test(stat);
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`exit ${code}: ${text}`))));
  });
}
