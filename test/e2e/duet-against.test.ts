import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const loop = (count: number) => `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); done\n`;

/** A repository whose branch main runs a loop of 5,000 rounds, with a branch "work" checked out. */
function newRepository(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-against-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const dir = join(base, 'my repository');
  fs.mkdirSync(dir);
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8' }).trim();
  const write = (path: string, text: string) => fs.writeFileSync(join(dir, path), text);
  git('init', '-q', '-b', 'main');
  write('work.sh', loop(5_000));
  git('add', '-A');
  git('commit', '-qm', 'Loop | @ada <b>');
  git('checkout', '-qb', 'work');
  const env = { XDG_CACHE_HOME: join(base, 'cache'), GITHUB_STEP_SUMMARY: '' };
  const state = () =>
    [
      git('status', '--porcelain=v2', '--branch'),
      git('worktree', 'list', '--porcelain'),
      git('stash', 'list'),
      git('for-each-ref'),
      git('diff', '--cached'),
      git('count-objects', '-v'),
    ].join('\n');
  const duet = (...args: string[]) =>
    runInProcess(['duet', '--against', 'main', '--alternate', '-r', '6', ...args], { cwd: dir, env });
  return { base, dir, git, write, env, state, duet };
}

test('twenty times the work is found in a dirty tree, with exit code 3 and a summary', async (t) => {
  const { base, git, write, state, duet, env } = newRepository(t);
  write('work.sh', loop(100_000));
  write('new.txt', 'not committed\n');
  const before = state();
  const step = join(base, 'step.md');
  fs.writeFileSync(step, '# A step before\n');
  env.GITHUB_STEP_SUMMARY = step;
  const summary = join(base, 'summary.md');
  const { code, stdout, stderr } = await duet('--summary', summary, '--json', '--', 'sh', 'work.sh');
  assert.equal(code, 3, stderr);
  assert.equal(state(), before);
  const result = JSON.parse(stdout) as {
    against: Record<'A' | 'B', { commit: string; isChanged: boolean }>;
    comparisons: [{ verdict: string; ratio: number; regression: boolean }];
  };
  assert.equal(result.against.A.commit, git('rev-parse', 'main'));
  assert.deepEqual([result.against.A.isChanged, result.against.B.isChanged], [false, true]);
  const [{ verdict, ratio, regression }] = result.comparisons;
  assert.deepEqual([verdict, regression], ['slower', true]);
  assert.ok(ratio > 1.5, `ratio ${ratio}`);

  const text = fs.readFileSync(summary, 'utf8');
  const short = git('rev-parse', '--short', 'main');
  assert.match(text, new RegExp(`^### Working tree .* baseline ${short}\n\nratio \\d`));
  assert.ok(text.includes('`Loop \\| @ada <b>` with uncommitted changes'), text);
  assert.match(
    text,
    /\nnightmark duet --against [0-9a-f]{40} --base ref --runs 6 --alternate --seed \d+ -- sh work\.sh\n/,
  );
  assert.equal(fs.readFileSync(step, 'utf8'), `# A step before\n${text}\n`);
  const left = fs.readdirSync(join(env.XDG_CACHE_HOME, 'nightmark/duet'), {
    recursive: true,
    encoding: 'utf8',
  });
  assert.deepEqual(
    left.filter((path) => /\.tmp-|\.use\.|\/lock$/.test(path)),
    [],
  );
});

test('a change that costs nothing is no regression, and the second call builds nothing', async (t) => {
  const { write, git, duet, dir } = newRepository(t);
  write('work.sh', `# a remark\n${loop(5_000)}`);
  git('commit', '-qam', 'Add a remark');
  write(
    'nightmark.yml',
    'duet: {build: cp work.sh built.sh, run: sh built.sh, min-effect: 60%, allow: 50%}\n',
  );
  const first = await duet();
  assert.equal(first.code, 0, first.stderr + first.stdout);
  assert.match(first.stderr, /Building A \.\.\.\nBuilding B \.\.\./);
  assert.match(first.stdout, /baseline [0-9a-f]+: sh built\.sh/);
  fs.mkdirSync(join(dir, 'deep'));
  const second = await duet('--summary', '-');
  assert.match(second.stderr, /A is already built\.\nB is already built\./);
  assert.match(second.stdout, /^### .*\n/);
  assert.match(second.stdout, /- Built by: `cp work\.sh built\.sh`/);
});

test('runs in the folder that corresponds to the one it is called from', async (t) => {
  const { git, write, dir, env } = newRepository(t);
  fs.mkdirSync(join(dir, 'part'));
  write('part/hello.sh', 'test -f hello.sh && test -f built\n');
  git('add', '-A');
  git('commit', '-qm', 'Add a part');
  write('part/hello.sh', 'test -f hello.sh && test -f built # changed\n');
  const args = ['duet', '--against', 'HEAD', '-r', '2', '--build', 'touch built', '--', 'sh hello.sh'];
  const { code, stderr } = await runInProcess(args, { cwd: join(dir, 'part'), env });
  assert.ok(code === 0 || code === 3, stderr);
});

test('what goes wrong is said with its exit code, and leaves the repository alone', async (t) => {
  const { write, state, duet, base, env, dir } = newRepository(t);
  const before = state();
  const same = await duet('--', 'true');
  assert.equal(same.code, 2);
  assert.match(same.stderr, /The working tree is the same as .* main .*nothing to compare/);
  assert.equal(same.stdout, '');
  assert.equal(state(), before);

  write('work.sh', loop(10));
  const dirty = state();
  const failed = await duet('--build', 'echo compiling; echo no such header >&2; exit 3', '--', 'true');
  assert.equal(failed.code, 1);
  assert.match(
    failed.stderr,
    /error: A \(the baseline, \w+\) could not be built[\s\S]*no such header\n[\s\S]*\[DUET_BUILD_FAILED\]/,
  );
  const unknown = await runInProcess(['duet', '--against', 'man', '--', 'true'], { cwd: dir, env });
  assert.match(unknown.stderr, /has no branch, tag or commit "man"[\s\S]*It has: main/);
  const outside = await runInProcess(['duet', '--against', 'main', '--', 'true'], { cwd: base, env });
  assert.deepEqual([outside.code, /DUET_NO_REPOSITORY/.test(outside.stderr)], [1, true]);
  const broken = await duet('--', 'sh', '-c', 'echo broken >&2; exit 4');
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /exit code 4[\s\S]*broken/);
  assert.equal((await duet('--build', 'true')).code, 1, 'no command');
  assert.match(
    (await runInProcess(['duet', '--build', 'make', 'true', 'true'], { cwd: dir, env })).stderr,
    /--build goes with --against/,
  );
  assert.equal(state(), dirty);
});

test('Ctrl-C during a build ends it and leaves the repository alone', async (t) => {
  const { write, state, base, env, dir } = newRepository(t);
  write('work.sh', loop(10));
  const before = state();
  const pidFile = join(base, 'pid');
  const build = `echo $$ > ${pidFile}; sleep 600`;
  const child = startBinary(['duet', '--against', 'main', '--build', build, '--', 'true'], env, dir);
  while (!fs.existsSync(pidFile) || fs.readFileSync(pidFile, 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 20));
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  assert.equal(state(), before);
  const pid = fs.readFileSync(pidFile, 'utf8').trim();
  const stat = fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  assert.ok(stat === '' || /\) [ZX] /.test(stat), stat);
});
