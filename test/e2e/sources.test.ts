import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { addExperiment, makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** A repository with a Makefile that counts its builds, a branch, and one commit on each. */
function makeRepository(): { dir: string; git(...args: string[]): string } {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-tvm-')));
  folders.push(dir);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'master');
  fs.writeFileSync(join(dir, 'Makefile'), 'all:\n\tcp version built\n');
  fs.writeFileSync(join(dir, 'version'), 'master\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('checkout', '-qb', 'faster');
  fs.writeFileSync(join(dir, 'version'), 'faster\n');
  git('commit', '-qam', 'second');
  git('checkout', '-q', 'master');
  return { dir, git };
}

const OK = `echo '{"success": true, "message": ""}'`;
const noting = {
  ...SCRIPTS,
  'run.sh': `#!/bin/sh
(git -C "$TVM_HOME" rev-parse --abbrev-ref HEAD; cat "$TVM_HOME/built" 2>/dev/null) > "$NIGHTMARK_HOME/$NIGHTMARK_TASK.seen"
${OK} > "$2/status.json"
`,
};

function data(home: string, name: string): readonly Record<string, unknown>[] {
  const folder = join(home, 'results/experiments/data', name);
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  return files.map(
    (file) => JSON.parse(fs.readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>,
  );
}

function status(home: string, name: string, stage: string): { success: boolean; message: string } {
  const path = join(home, 'results/experiments/status', name, `${stage}.json`);
  return JSON.parse(fs.readFileSync(path, 'utf8')) as { success: boolean; message: string };
}

test('[14] an experiment on a branch is measured with that branch, and the common checkout stays where it is', async () => {
  const { dir, git } = makeRepository();
  const home = makeScriptHome(['alpha'], noting);
  folders.push(home);
  addExperiment(home, 'branchy', noting, { tvm_branch: 'faster' });
  addExperiment(home, 'lost', noting, { tvm_branch: 'no-such-branch' });
  const ran = await runBinary(['run', home], { TVM_HOME: dir });
  assert.equal(ran.code, 4, ran.stderr);
  assert.equal(data(home, 'alpha')[0]?.['tvm_hash'], git('rev-parse', '--short', 'master'));
  assert.equal(data(home, 'branchy')[0]?.['tvm_hash'], git('rev-parse', '--short', 'faster'));
  assert.equal(fs.readFileSync(join(home, 'branchy.seen'), 'utf8'), 'faster\nfaster\n');
  assert.equal(git('rev-parse', '--abbrev-ref', 'HEAD'), 'master');

  // What cannot be fetched is never measured with something else.
  assert.equal(status(home, 'lost', 'setup').success, false);
  assert.match(status(home, 'lost', 'setup').message, /no-such-branch/);
  assert.equal(fs.existsSync(join(home, 'lost.seen')), false);
  assert.deepEqual(data(home, 'lost'), []);
});

test('sources of nightmark.yml are fetched, built, recorded, skipped when nothing is new, and never stale', async () => {
  const { dir, git } = makeRepository();
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-sources-')));
  folders.push(home);
  const run = `echo '{"results": [{"command": "x", "times": [1, 2, 3], "exit_codes": [0, 0, 0]}]}'; cat "$NIGHTMARK_SOURCE_APP/built" > seen`;
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `sources:
  app: { git: ${dir}, branch: master, build: make, skip-when-unchanged: true }
experiments:
  bench:
    source: app
    run: |
      ${run}
`,
  );
  const first = await runInProcess(['run', home]);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(fs.readFileSync(join(home, 'seen'), 'utf8'), 'master\n');
  assert.deepEqual(data(home, 'bench')[0]?.['sources'], { app: git('rev-parse', '--short', 'HEAD') });

  const second = await runInProcess(['run', home, '--json']);
  assert.equal(second.code, 0, second.stderr);
  const { trials } = JSON.parse(second.stdout) as { trials: { state: string; message: string }[] };
  assert.equal(trials[0]?.state, 'skipped');
  assert.match(trials[0]?.message ?? '', /^Nothing new since [0-9a-f]+$/);
  assert.equal(data(home, 'bench').length, 1);

  fs.writeFileSync(join(dir, 'Makefile'), 'all:\n\t@echo the compiler is angry; exit 1\n');
  git('commit', '-qam', 'breaks');
  const broken = await runInProcess(['run', home]);
  assert.equal(broken.code, 4, broken.stderr);
  assert.match(status(home, 'bench', 'setup').message, /the compiler is angry/);
  assert.equal(data(home, 'bench').length, 1);

  const old = await runInProcess(['run', home, '--no-build']);
  assert.equal(old.code, 0, old.stderr);

  fs.writeFileSync(join(dir, 'Makefile'), 'all:\n\techo third > built\n');
  git('commit', '-qam', 'mends');
  const third = await runInProcess(['run', home]);
  assert.equal(third.code, 0, third.stderr);
  assert.equal(fs.readFileSync(join(home, 'seen'), 'utf8'), 'third\n');
  assert.equal(data(home, 'bench').length, 2);

  const definition = fs.readFileSync(join(home, 'nightmark.yml'), 'utf8');
  fs.writeFileSync(join(home, 'nightmark.yml'), definition.replace(', skip-when-unchanged: true', ''));
  const repeat = await runInProcess(['run', home]);
  assert.equal(repeat.code, 0, repeat.stderr);
  const short = git('rev-parse', '--short', 'HEAD');
  assert.match(repeat.stderr, new RegExp(`bench: repeat, nothing new since ${short}`));
  assert.equal(data(home, 'bench').length, 3);

  fs.renameSync(dir, `${dir}-gone`);
  folders.push(`${dir}-gone`);
  const gone = await runInProcess(['run', home]);
  assert.equal(gone.code, 4);
  assert.equal(status(home, 'bench', 'setup').success, false);
  assert.equal(data(home, 'bench').length, 3);
});
