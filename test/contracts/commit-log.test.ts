import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import processExecutor from '../../src/executors/adapters/process/process.ts';
import { gitSources } from '../../src/git/adapters/git.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), "nightmark log' ü-")));
after(() => rmSync(base, { recursive: true, force: true }));
const never = new AbortController().signal;
const env = { PATH: process.env['PATH'] ?? '', HOME: base, GIT_CONFIG_NOSYSTEM: '1' };

function git(dir: string, ...args: string[]): string {
  const all = ['-C', dir, '-c', 'user.name=Ada \u001b[31m', '-c', 'user.email=a@example.org', ...args];
  const dated = { ...env, GIT_COMMITTER_DATE: '2026-01-05T03:00:00Z' };
  return execFileSync('git', all, { encoding: 'utf8', env: dated, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

const origin = join(base, 'origin');
mkdirSync(origin);
git(origin, 'init', '--quiet', '--initial-branch=main');
function commit(subject: string): string {
  writeFileSync(join(origin, 'value.txt'), subject);
  git(origin, 'add', '-A');
  git(origin, 'commit', '--quiet', '-m', subject, '-m', 'A body\n\nwith lines');
  return git(origin, 'rev-parse', 'HEAD');
}
const hashes = ['first', 'second | `third`', 'ü and "quotes"', 'newest'].map(commit);
git(origin, 'checkout', '--quiet', '-b', 'side', hashes[1] ?? '');
const side = commit('on the side');
git(origin, 'checkout', '--quiet', 'main');

const control = gitSources(processExecutor);
const cacheDir = join(base, 'cache git');
const source = { name: 'my source', git: origin, skipWhenUnchanged: false, keep: 2 };
await control.prepare({ source, cacheDir, logFile: join(base, 'log'), fetch: true, env }, never);
const range = { source: 'my source', cacheDir, limit: 10 };
const [first = '', , third = '', newest = ''] = hashes;

test('git 1: commits that came, newest first, and their count', async () => {
  const found = await control.commitsBetween({ ...range, from: first.slice(0, 7), to: newest }, never);
  assert.equal(found?.from, first);
  assert.equal(found?.to, newest);
  assert.equal(found?.remote, origin);
  assert.deepEqual(found?.removed, { count: 0, commits: [] });
  assert.deepEqual(
    found?.added.commits.map(({ subject }) => subject),
    ['newest', 'ü and "quotes"', 'second | `third`'],
  );
  assert.deepEqual(found?.added.commits[0], {
    hash: newest,
    subject: 'newest',
    author: 'Ada \u001b[31m',
    at: Date.UTC(2026, 0, 5, 3),
  });
  const few = await control.commitsBetween({ ...range, from: first, to: newest, limit: 1 }, never);
  assert.equal(few?.added.count, 3);
  assert.equal(few?.added.commits.length, 1);
});

test('git 1: a step back and a fork are reported by what went', async () => {
  const back = await control.commitsBetween({ ...range, from: newest, to: third }, never);
  assert.deepEqual([back?.added.count, back?.removed.count], [0, 1]);
  const fork = await control.commitsBetween({ ...range, from: newest, to: side }, never);
  assert.deepEqual([fork?.added.count, fork?.removed.count], [1, 2]);
  const same = await control.commitsBetween({ ...range, from: newest, to: newest }, never);
  assert.deepEqual([same?.added.count, same?.removed.count], [0, 0]);
});

test('git 2: what was never fetched is not there', async () => {
  const loose = git(origin, 'commit-tree', '-m', 'loose', `${newest}^{tree}`);
  const between = (change: object) =>
    control.commitsBetween({ ...range, from: first, to: newest, ...change }, never);
  assert.equal(await between({ to: loose }), undefined);
  assert.equal(await between({ source: 'another' }), undefined);
  assert.equal(await between({ cacheDir: join(base, 'nothing') }), undefined);
});

test('git 3: hostile names and hashes are not there', async () => {
  const between = (change: object) =>
    control.commitsBetween({ ...range, from: first, to: newest, ...change }, never);
  for (const name of ['', '.', '..', '../my source', 'a/b', 'a\0b'])
    assert.equal(await between({ source: name }), undefined, JSON.stringify(name));
  for (const hash of ['', 'main', '--all', '-n1', 'abc', `${first}\n", 'HEAD~1', "${first}^`])
    assert.equal(await between({ from: hash }), undefined, JSON.stringify(hash));
});

test('git 4: the address has no secret in it', async () => {
  for (const name of readdirSync(join(cacheDir, 'my source')).filter((it) => it.endsWith('.json'))) {
    const file = join(cacheDir, 'my source', name);
    const record = { commit: newest, changes: '', uses: [], git: 'https://user:secret@github.com/o/r.git' };
    writeFileSync(file, JSON.stringify({ ...record, build: '', state: 'built' }));
  }
  const found = await control.commitsBetween({ ...range, from: first, to: newest }, never);
  assert.equal(found?.remote, 'https://github.com/o/r.git');
});
