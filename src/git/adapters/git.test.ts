import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Executor } from '../../executors/core/executor.ts';
import { ownIdentity, processLife } from '../../platform/adapters/process-identity.ts';
import type { SourceRequest } from '../core/source-control.ts';
import { withFolderLock } from './folder-lock.ts';
import { gitSources } from './git.ts';
import { withoutSecrets } from './shell.ts';
import { isLocal } from './source-rules.ts';

// By its address, not by an import: adapters do not know each other, and this test only needs some executor.
const place = new URL('../../executors/adapters/process/process.js', import.meta.url).href;
const { default: executor } = (await import(place)) as { default: Executor };
const base = mkdtempSync(join(tmpdir(), 'nightmark-git-'));
after(() => rmSync(base, { recursive: true, force: true }));
const signal = new AbortController().signal;
const env = { PATH: process.env['PATH'] ?? '', HOME: base };

function git(dir: string, ...args: string[]): string {
  const all = ['-C', dir, '-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args];
  return execFileSync('git', all, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function newRepository(name: string): string {
  const dir = join(base, name);
  mkdirSync(dir);
  git(dir, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(dir, 'value.txt'), 'first');
  git(dir, 'add', '-A');
  git(dir, 'commit', '--quiet', '-m', 'first');
  return dir;
}

function requestFor(repository: string, rest: Partial<SourceRequest['source']> = {}): SourceRequest {
  const cacheDir = `${repository}-cache`;
  const source = { name: 's', git: repository, skipWhenUnchanged: false, keep: 1, ...rest };
  return { source, cacheDir, logFile: join(cacheDir, 'log'), fetch: true, env };
}

test('a mirror that was damaged, or locked by a git that was killed, is mended', async () => {
  const repository = newRepository('damaged');
  const request = requestFor(repository);
  const { commit } = await gitSources(executor).prepare(request, signal);
  const root = join(request.cacheDir, 's');
  const mirror = join(root, readdirSync(root).find((name) => name.startsWith('mirror-')) ?? assert.fail());

  writeFileSync(join(mirror, 'packed-refs.lock'), '');
  writeFileSync(join(mirror, 'refs/heads/main.lock'), '');
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  const second = await gitSources(executor).prepare(request, signal);
  assert.notEqual(second.commit, commit);

  for (const name of readdirSync(join(mirror, 'objects'))) {
    rmSync(join(mirror, 'objects', name), { recursive: true });
  }
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'third');
  const third = await gitSources(executor).prepare(request, signal);
  assert.equal(third.commit, git(repository, 'rev-parse', 'HEAD'));
  assert.equal(git(third.dir, 'fsck', '--no-progress'), '');
});

test('a checkout that was cut off in the middle is made again and its remains are removed', async () => {
  const repository = newRepository('cut-off');
  const request = requestFor(repository, { build: 'echo built > built' });
  const { dir } = await gitSources(executor).prepare(request, signal);
  rmSync(`${dir}.json`);
  writeFileSync(join(dir, 'built'), 'half');
  mkdirSync(join(request.cacheDir, 's/.tmp-checkout-1-1/x'), { recursive: true });
  await gitSources(executor).prepare(request, signal);
  assert.equal(readFileSync(join(dir, 'built'), 'utf8'), 'built\n');
  assert.ok(!existsSync(join(request.cacheDir, 's/.tmp-checkout-1-1')));
});

test('variables of a surrounding git do not lead to another repository', async () => {
  const repository = newRepository('surrounded');
  const other = newRepository('other');
  const request = requestFor(repository, { build: 'git rev-parse HEAD > head' });
  const surrounded = {
    ...env,
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: '/nowhere',
  };
  const { dir, commit } = await gitSources(executor).prepare({ ...request, env: surrounded }, signal);
  assert.equal(commit, git(repository, 'rev-parse', 'HEAD'));
  assert.equal(readFileSync(join(dir, 'head'), 'utf8'), `${commit}\n`);
});

test('without git the error says so', async () => {
  const request = { ...requestFor(newRepository('no-git')), env: { PATH: '/nowhere', HOME: base } };
  await assert.rejects(gitSources(executor).prepare(request, signal), { code: 'SOURCE_GIT_MISSING' });
});

test('a foreign repository may not reach into this machine by its submodules', async () => {
  const secret = newRepository('secret');
  const outer = newRepository('outer');
  git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', secret, 'inner');
  git(outer, 'commit', '--quiet', '-m', 'reach');
  // A remote address that git is told to find on this disk: foreign for us, without a server.
  const config = `[url "${outer}"]\n\tinsteadOf = https://example.org/outer\n[protocol "file"]\n\tallow = user\n`;
  writeFileSync(join(base, '.gitconfig'), config);
  const request = {
    ...requestFor(outer),
    source: { ...requestFor(outer).source, git: 'https://example.org/outer' },
  };
  await assert.rejects(gitSources(executor).prepare(request, signal), ({ code, message }) => {
    return code === 'SOURCE_FETCH_FAILED' && message.includes("transport 'file' not allowed");
  });
  rmSync(join(base, '.gitconfig'));
});

test('secrets in addresses stay out of logs', () => {
  assert.equal(withoutSecrets('x https://ada:pw@host/a y'), 'x https://***@host/a y');
  assert.equal(withoutSecrets("'https://ghp_token@host/a'"), "'https://***@host/a'");
  assert.equal(
    withoutSecrets('ssh://git@host/a ssh://git:pw@host/a'),
    'ssh://git@host/a ssh://git:***@host/a',
  );
  assert.equal(withoutSecrets('https://host/a@b git@host:a'), 'https://host/a@b git@host:a');
});

test('knows which repositories are on this machine', () => {
  for (const local of ['/a/b', './a', '../a b', 'file:///a']) assert.ok(isLocal(local), local);
  for (const remote of ['https://host/a', 'ssh://host/a', 'git@host:a', 'host:a'])
    assert.ok(!isLocal(remote), remote);
});

test('a lock of a dead process is taken over, that of a living one is waited for', async () => {
  const lock = join(base, 'lock');
  mkdirSync(lock);
  const dead = { ...ownIdentity(), started: 'another boot 1', token: 'abc123' };
  assert.equal(processLife(dead), 'dead');
  writeFileSync(join(lock, 'owner.json'), JSON.stringify(dead));
  const order: string[] = [];
  const enter = (name: string) =>
    withFolderLock(lock, { signal, onWait: () => order.push(`${name} waits`) }, async () => {
      order.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push(`${name} out`);
    });
  await Promise.all([enter('a'), enter('b')]);
  assert.deepEqual(
    order.filter((it) => !it.endsWith('waits')),
    ['a in', 'a out', 'b in', 'b out'],
  );
  assert.ok(order.includes('b waits'));
  assert.ok(!existsSync(lock));
});

test('waiting for a lock ends with a cancel', async () => {
  const lock = join(base, 'held');
  mkdirSync(lock);
  writeFileSync(join(lock, 'owner.json'), JSON.stringify({ ...ownIdentity(), token: 'abc' }));
  const abort = new AbortController();
  const waiting = withFolderLock(lock, { signal: abort.signal, onWait: () => abort.abort() }, async () =>
    assert.fail(),
  );
  await assert.rejects(waiting, { code: 'SOURCE_INTERRUPTED' });
});
