import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import processExecutor from '../../src/executors/adapters/process/process.ts';
import { gitSources } from '../../src/git/adapters/git.ts';
import type { RangeRequest } from '../../src/git/core/commit-history.ts';

const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "nightmark history' ü-")));
after(() => fs.rmSync(base, { recursive: true, force: true }));
const env = { PATH: process.env['PATH'] ?? '', HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
const never = new AbortController().signal;
const dir = join(base, 'repository');
const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

function git(...args: string[]): string {
  return execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8', env }).trim();
}

function commit(name: string): string {
  fs.writeFileSync(join(dir, name), name);
  git('add', '-A');
  git('commit', '-qm', name);
  return git('rev-parse', 'HEAD');
}

// main: one - two - merge - four, and branch: one - side - merge.
fs.mkdirSync(dir);
git('init', '-q', '-b', 'main');
const one = commit('one');
git('checkout', '-q', '-b', 'branch');
commit('side');
git('checkout', '-q', 'main');
const two = commit('two');
git('merge', '-q', '--no-ff', '-m', 'merge', 'branch');
const four = commit('four');
const request: RangeRequest = { dir, good: one, bad: 'main', parents: 'first', likelyPaths: ['two'], env };
const state = () =>
  [git('status', '--porcelain=v2', '--branch'), git('worktree', 'list'), git('for-each-ref')].join('\n');

const history = gitSources(processExecutor);
const cacheDir = join(base, 'cache git');
const workspace = (name: string) =>
  history.openWorkspace(
    {
      dir,
      name,
      cacheDir,
      env,
      build: { command: 'ls > built; date +%N >> built', in: 'root', again: false },
    },
    never,
  );

test('git 1: each commit after its parents, the bad one last', async () => {
  const first = await history.listRange(request, never);
  assert.deepEqual(
    first.commits.map(({ subject, isLikely, author: who }) => [subject, isLikely, who]),
    [
      ['two', true, 'Ada'],
      ['merge', false, 'Ada'],
      ['four', false, 'Ada'],
    ],
  );
  assert.deepEqual([first.good.commit, first.root, first.prefix], [one, dir, '']);
  const { commits } = await history.listRange({ ...request, parents: 'all' }, never);
  assert.deepEqual(commits.map(({ subject }) => subject).sort(), ['four', 'merge', 'side', 'two']);
  for (const [at, { parents }] of commits.entries())
    for (const parent of parents)
      assert.ok(parent === one || commits.slice(0, at).some((it) => it.commit === parent));
});

test('git 2 and 3: a workspace has built commits, uses them again, and goes', async () => {
  const before = state();
  const { good, commits } = await history.listRange(request, never);
  const place = await workspace('search-1');
  const root = await place.prepare(good);
  assert.match(fs.readFileSync(join(root, 'built'), 'utf8'), /^built\none\n\d+\n$/);
  const last = await place.prepare(commits.at(-1) ?? good);
  assert.equal(fs.readFileSync(join(last, 'four'), 'utf8'), 'four');
  const built = fs.readFileSync(join(root, 'built'), 'utf8');
  assert.equal(await place.prepare(good), root);
  assert.equal(fs.readFileSync(join(root, 'built'), 'utf8'), built);
  assert.equal(state(), before);
  await place.close();
  assert.ok(!fs.existsSync(place.dir));
});

test('git 3 and 4: what the dead left is removed, what the living hold is not', async () => {
  const mine = await workspace('search-2');
  await assert.rejects(workspace('search-2'), { code: 'BISECT_BUSY' });
  const dead = await workspace('search-3');
  const owner = join(dead.dir, 'owner.json');
  const identity = JSON.parse(fs.readFileSync(owner, 'utf8')) as { started: string };
  fs.writeFileSync(owner, JSON.stringify({ ...identity, started: 'an earlier boot' }));
  const next = await workspace('search-4');
  assert.deepEqual([fs.existsSync(dead.dir), fs.existsSync(mine.dir)], [false, true]);
  await mine.close();
  await next.close();
});

test('git 5: says why there is nothing to search, and what does not build', async () => {
  const refused = (more: Partial<RangeRequest>) => history.listRange({ ...request, ...more }, never);
  await assert.rejects(refused({ good: four, bad: two }), { code: 'BISECT_NO_RANGE' });
  await assert.rejects(refused({ good: 'branch' }), { code: 'BISECT_NO_RANGE' });
  await assert.rejects(refused({ good: 'main' }), { code: 'BISECT_NO_RANGE' });
  await assert.rejects(refused({ good: '--all' }), { code: 'DUET_UNKNOWN_REF' });
  await assert.rejects(refused({ dir: base }), { code: 'DUET_NO_REPOSITORY' });
  const build = { command: 'echo broken; exit 3', in: 'root', again: false } as const;
  const place = await history.openWorkspace({ dir, name: 'search-5', cacheDir, env, build }, never);
  const { good } = await refused({});
  await assert.rejects(place.prepare(good), { code: 'DUET_BUILD_FAILED', message: /broken/ });
  await place.close();
});
