import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

interface Found {
  readonly id: string;
  readonly state: string;
  readonly culprits: readonly { commit: string; subject: string; author: string; link?: string }[];
  readonly certainty: number;
  readonly effect: { ratio: number; low: number; high: number };
  readonly skipped: readonly { commit: string; reason: string }[];
  readonly pairs: number;
  readonly measure: string;
  readonly measures: readonly { measure: string; says: string }[];
  readonly builds: { made: number; most: number; spread: number };
}

const CULPRIT = 9;
const BROKEN = 5;

/** Thirteen commits; the tenth makes a counting loop three times as long, the sixth does not build. */
function newRepository(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-bisect-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const dir = join(base, "Ada's repository");
  fs.mkdirSync(dir);
  const author = ['-c', 'user.name=Ada | b', '-c', 'user.email=ada@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const commits = Array.from({ length: 13 }, (_, at) => {
    const rounds = at >= CULPRIT ? 900_000 : 300_000;
    fs.writeFileSync(join(dir, 'work.awk'), `BEGIN { for (i = 0; i < ${rounds}; i++) sum += i }\n`);
    fs.writeFileSync(join(dir, 'build.sh'), at === BROKEN ? 'echo no; exit 3\n' : 'cp work.awk built.awk\n');
    fs.writeFileSync(join(dir, 'number'), String(at));
    git('add', '-A');
    git('commit', '-qm', `Change ${at}`);
    return git('rev-parse', 'HEAD');
  });
  git('remote', 'add', 'origin', 'git@github.com:ada/demo.git');
  fs.writeFileSync(join(dir, 'number'), 'not committed');
  fs.writeFileSync(join(dir, 'new'), 'not added');
  git('stash');
  fs.writeFileSync(join(dir, 'number'), 'changed again');
  git('add', 'number');
  const cache = join(base, 'cache');
  const state = () =>
    [
      ...[git('status', '--porcelain=v2', '--branch'), git('worktree', 'list', '--porcelain')],
      ...[git('stash', 'list'), git('for-each-ref'), git('diff', '--cached'), git('count-objects', '-v')],
      fs.readFileSync(join(dir, 'number'), 'utf8'),
    ].join('\n');
  const env = { XDG_CACHE_HOME: cache };
  const bisect = (...args: string[]) => runInProcess(['bisect', ...args], { cwd: dir, env });
  const left = () =>
    fs.existsSync(cache)
      ? fs
          .readdirSync(cache, { recursive: true, encoding: 'utf8' })
          .filter((it) => /owner|work\.awk/.test(it))
      : [];
  return { base, dir, git, commits, state, env, bisect, left };
}

const ends = (commits: readonly string[]) => [
  '--good',
  commits[0] ?? '',
  '--bad',
  'main',
  '--seed',
  '7',
  '--certainty',
  '99.9%',
];
const work = ['--build', 'sh build.sh', '--', 'awk', '-f', 'built.awk'];

test('the commit is found, the repository stays as it is, and nothing is left behind', async (t) => {
  const { base, commits, state, bisect, left } = newRepository(t);
  const before = state();
  const summary = join(base, 'answer.md');
  const { code, stdout, stderr } = await bisect(...ends(commits), '--json', '--summary', summary, ...work);
  assert.equal(code, 0, `${stderr}${stdout}`);
  const found = JSON.parse(stdout) as Found;
  assert.equal(found.state, 'found');
  // With other work beside it a neighbour may stay in the answer, behind the one that it was.
  assert.ok(found.culprits.length <= 2, stdout);
  const [first] = found.culprits.map(({ commit, subject, author, link }) => [commit, subject, author, link]);
  const link = `https://github.com/ada/demo/commit/${commits[CULPRIT]}`;
  assert.deepEqual(first, [commits[CULPRIT], 'Change 9', 'Ada | b', link]);
  assert.ok(found.certainty >= 0.999 && found.effect.low > 1.1, stdout);
  assert.deepEqual(
    found.skipped.map(({ commit }) => commit).filter((commit) => commit !== commits[BROKEN]),
    [],
  );
  assert.equal(state(), before);
  assert.deepEqual(left(), []);
  // Which of the two decides first is a matter of the load.
  assert.match(
    fs.readFileSync(summary, 'utf8'),
    /^### [0-9a-f]{7,} `Change 9` made (it .*slower|its CPU time .*longer)/,
  );
  assert.ok(found.measures.some(({ measure, says }) => measure === found.measure && says === 'decided'));
});

test('the CPU time alone is compared where it is asked for', async (t) => {
  const { commits, bisect } = newRepository(t);
  // CPU time is counted in steps of some milliseconds: four times the work.
  const long = ['sh', '-c', 'for i in 1 2 3 4; do awk -f work.awk; done'];
  const { code, stdout, stderr } = await bisect(...ends(commits), '--metric', 'cpu', '--', ...long);
  assert.equal(code, 0, `${stderr}${stdout}`);
  assert.match(stdout, /^[0-9a-f]{7,} Change 9 made its CPU time \d+ % longer/);
  assert.doesNotMatch(stdout, /decided by/);
  assert.match(stdout, /\d+ builds that differ by about/);
  const idle = await bisect(...ends(commits), '--metric', 'cpu', '--', 'true');
  assert.equal(idle.code, 1);
  assert.match(idle.stderr, /CPU time cannot be compared: .*BISECT_NO_METRIC/s);
});

test('a killed search goes on with the pairs that it has, and what it left is removed', async (t) => {
  const { dir, commits, state, env, bisect, left } = newRepository(t);
  const before = state();
  const child = startBinary(['bisect', ...ends(commits), '-q', ...work], env, dir);
  const folder = join(dir, '.git/nightmark/bisect');
  const journal = () => {
    const [name] = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return name === undefined ? '' : fs.readFileSync(join(folder, name), 'utf8');
  };
  const pairsIn = (text: string) => text.split('\n').filter((line) => line.includes('"type":"pair"'));
  const closed = new Promise((resolve) => child.on('close', resolve));
  while (pairsIn(journal()).length < 4 && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await closed;
  const kept = pairsIn(journal());
  assert.ok(kept.length >= 4, journal());
  assert.ok(left().length > 0, 'the dead process left its checkouts');

  const busy = await bisect('--resume', 'no-such-id');
  assert.equal(busy.code, 1);
  assert.match(busy.stderr, /BISECT_NOTHING_TO_RESUME/);
  const { code, stdout, stderr } = await bisect('--resume', '--json');
  assert.equal(code, 0, `${stderr}${stdout}`);
  const found = JSON.parse(stdout) as Found;
  assert.equal(found.culprits[0]?.commit, commits[CULPRIT]);
  assert.deepEqual(pairsIn(journal()).slice(0, kept.length), kept);
  assert.equal(found.pairs, pairsIn(journal()).length);
  assert.equal(state(), before);
  assert.deepEqual(left(), []);
  assert.equal((await bisect('--resume')).code, 1, 'it has ended');
});

test('an experiment of a home is searched in the commits of its source', async (t) => {
  const { base, dir, commits, bisect } = newRepository(t);
  const home = join(base, 'home');
  fs.mkdirSync(home);
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `project: Demo
sources:
  work:
    git: ${JSON.stringify(dir)}
    build: sh build.sh
experiments:
  count:
    source: work
    run: awk -f "$NIGHTMARK_SOURCE_WORK/built.awk"; echo 1 > {out}/value.txt
`,
  );
  const good = (commits[0] ?? '').slice(0, 12);
  const { code, stdout, stderr } = await bisect(
    'count',
    '--home',
    home,
    '--good',
    good,
    '--bad',
    'main',
    '--certainty',
    '99.9%',
    '--json',
  );
  assert.equal(code, 0, `${stderr}${stdout}`);
  assert.equal((JSON.parse(stdout) as Found).culprits[0]?.commit, commits[CULPRIT]);
  assert.ok(!fs.existsSync(join(home, 'results')), 'results of the home are not touched');
});

test('what cannot be searched is said before anything runs', async (t) => {
  const { commits, bisect, git } = newRepository(t);
  const [good = ''] = commits;
  const refused = async (args: readonly string[], pattern: RegExp) => {
    const { code, stderr } = await bisect(...args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, pattern);
  };
  await refused(['--good', 'main', '--bad', good, '--', 'true'], /the other way round[\s\S]*BISECT_NO_RANGE/);
  await refused(['--good', 'nope', '--', 'true'], /DUET_UNKNOWN_REF/);
  await refused(['--', 'true'], /Which commit was still good/);
  await refused(['--good', good], /What should be measured/);
  await refused(['--good', good, '--certainty', '100%', '--', 'true'], /--certainty/);
  await refused(
    ['--good', good, '--', 'sh', '-c', 'echo broken; exit 4'],
    /exit code 4[\s\S]*BISECT_GOOD_FAILED/,
  );
  await refused(
    ['--good', good, '--', 'test', '-e', 'number', '-a', '!', '-s', 'x', '-a', '-f', 'none'],
    /BISECT_GOOD_FAILED/,
  );
  const dry = await bisect('--good', good, '--dry-run', '--', 'true');
  assert.deepEqual(
    [dry.code, dry.stdout.split('.')[0]],
    [0, `12 commits from ${git('rev-parse', '--short', good)} to ${git('rev-parse', '--short', 'main')}`],
  );
});

test('good and bad that do not differ end with exit code 2', async (t) => {
  const { commits, bisect } = newRepository(t);
  const args = [
    '--good',
    commits[0] ?? '',
    '--bad',
    commits[4] ?? '',
    '--pairs',
    '2',
    '--min-effect',
    '200%',
  ];
  const { code, stdout, stderr } = await bisect(...args, '--alternate', '--', 'awk', '-f', 'work.awk');
  assert.equal(code, 2, stderr);
  assert.match(stdout, /^Nothing to find: /);
});

test('what cannot be decided is not called the same: exit code 5 and another sentence', async (t) => {
  const { base, commits, bisect } = newRepository(t);
  const summary = join(base, 'answer.md');
  // Sleeps of random length: two pairs a commit say nothing about 1 %.
  const noisy = 'sleep 0.0$(od -An -N1 -tu1 /dev/urandom | tr -d " ")';
  const args = ['--good', commits[0] ?? '', '--bad', commits[4] ?? '', '--pairs', '2', '--summary', summary];
  const { code, stdout, stderr } = await bisect(...args, '--json', '--', 'sh', '-c', noisy);
  assert.equal(code, 5, stderr + stdout);
  const found = JSON.parse(stdout) as Found;
  assert.equal(found.state, 'undecided');
  assert.deepEqual(
    found.measures.map(({ measure }) => measure),
    ['wall'],
    'what sleeps is not compared by its CPU time',
  );
  assert.match(fs.readFileSync(summary, 'utf8'), /^### Cannot tell (whether|which commit)/);
});
