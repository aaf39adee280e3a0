import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-branch-'));
after(() => rmSync(folder, { recursive: true }));
const SCRIPT = join(process.cwd(), 'kit/bash/build_tvm_branch.sh');
const skip =
  spawnSync('make', ['--version']).status === 0 ? false : 'no make: install it to build a branch with it';

const git = (dir: string, ...words: string[]) =>
  execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
    encoding: 'utf8',
  });

/** A repository whose branches main and NAME build a file "built" that names them. */
function repository(name: string): string {
  const dir = join(folder, name);
  execFileSync('git', ['init', '-q', '-b', 'main', dir]);
  for (const branch of ['main', name]) {
    if (branch !== 'main') git(dir, 'checkout', '-q', '-b', branch);
    writeFileSync(join(dir, 'Makefile'), `all:\n\techo ${branch} > built\n`);
    git(dir, 'add', 'Makefile');
    git(dir, 'commit', '-q', '-m', branch);
  }
  git(dir, 'checkout', '-q', 'main');
  return dir;
}

const build = (home: string, ...words: string[]) =>
  spawnSync('bash', [SCRIPT, ...words], { encoding: 'utf8', env: { ...process.env, TVM_HOME: home } });

test('a branch is checked out and built, here or from another repository, and a failure is one', {
  skip,
}, () => {
  const [ours, theirs] = [repository('ours'), repository('theirs')];
  const built = () => readFileSync(join(ours, 'built'), 'utf8');
  assert.equal(build(ours, 'origin', 'ours').status, 0);
  assert.equal(built(), 'ours\n');
  assert.equal(build(ours, theirs, 'theirs').status, 0);
  assert.equal(built(), 'theirs\n');
  assert.equal(git(ours, 'remote'), '', 'nothing is left behind');
  assert.notEqual(build(ours, 'origin', 'nope').status, 0);
  assert.equal(built(), 'theirs\n');
  assert.match(build(ours, 'origin').stderr, /^usage: /);
});
