import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
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
import { after, describe, test } from 'node:test';
import { startBinary } from '../support/binary.ts';
import { isRunning } from '../support/duet-folder.ts';
import { type Ran, runInProcess } from '../support/in-process.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-matrix-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** A folder of its own, whose name has a space and a quote in it. */
function folder(files: Readonly<Record<string, string>> = {}): string {
  const dir = join(mkdtempSync(join(root, 'case-')), "it's here");
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o755 });
  return dir;
}

/** The golden benchmark files, with scripts that can be run. */
function benchFolder(): string {
  const dir = mkdtempSync(join(root, 'bench-')); // its scripts do not quote their folder
  cpSync('test/golden/matrix/bench', dir, { recursive: true });
  for (const script of ['run_ok.sh', 'run_ko.sh'])
    writeFileSync(join(dir, script), readFileSync(join(dir, script)), { mode: 0o755 });
  execFileSync('chmod', ['+x', join(dir, 'run_ok.sh'), join(dir, 'run_ko.sh')]);
  return dir;
}

const run = (dir: string, ...args: readonly string[]): Promise<Ran> =>
  runInProcess(['matrix', 'run', ...args], { cwd: dir });
const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
const tests = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir).sort() : []);
const lastLine = ({ stdout }: Ran): string => stdout.trimEnd().split('\n').at(-1) ?? '';

interface Outcome {
  readonly seed: number;
  readonly failed: number;
  readonly recorded: number;
  readonly executed: number;
  readonly tests: readonly {
    readonly state: string;
    readonly folder?: string;
    readonly exitCode?: number;
    readonly attempts?: number;
    readonly message?: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
}
const json = ({ stdout }: Ran): Outcome => JSON.parse(stdout) as Outcome;

describe('case 20: the golden benchmark file', () => {
  const dir = benchFolder();

  test('makes ten numbered folders with settings, files, log and exit code', async () => {
    const ran = await run(dir, 'bench.yaml');
    assert.equal(ran.code, 4, ran.stderr);
    assert.equal(lastLine(ran), 'total: 10, executed: 10, recorded: 0, failed: 2');
    assert.match(ran.stderr, /bench\.yaml:11:1: warning: --unknown-flag/);
    assert.deepEqual(
      tests(join(dir, 'bres/first')).map((name) => name),
      [1, 1, 2, 2, 1, 1, 2, 2].map((model, index) => `00${index}__m${model}_4u`),
    );
    assert.deepEqual(tests(join(dir, 'bres/second')), ['000__m3_4, 8u', '001__m3_4, 8u']);
    assert.deepEqual(readdirSync(join(dir, 'bres')).sort(), ['.nightmark', 'first', 'second']);
    const first = join(dir, 'bres/first/001__m1_4u');
    assert.equal(
      read(first, 'settings.yaml'),
      "kind: ok\nlvl: '2'\nmodel_name: m1\nopt: b\nrun: 1\nversion: 1.0.0\nvirtual_users: 4\n",
    );
    assert.equal(read(first, 'config.yaml'), 'a: 1\nb:\n- x\n- y\n');
    assert.equal(read(first, 'note.txt'), 'hello');
    assert.equal(read(first, 'run.log'), 'ok in 001__m1_4u\n');
    assert.equal(read(first, 'exit_code'), '0\n');
    assert.equal(read(dir, 'bres/second/000__m3_4, 8u/exit_code'), '3\n');
  });

  test('a rerun finds eight recorded and executes the two failures in their folders', async () => {
    const mark = join(dir, 'bres/first/000__m1_4u/mark');
    const stale = join(dir, 'bres/second/000__m3_4, 8u/stale');
    writeFileSync(mark, '');
    writeFileSync(stale, '');
    const ran = await run(dir, 'bench.yaml', '--exit-count', '--run');
    assert.equal(ran.code, 2);
    assert.equal(lastLine(ran), 'total: 10, executed: 2, recorded: 8, failed: 2');
    assert.deepEqual([existsSync(mark), existsSync(stale)], [true, false]);
    assert.equal(tests(join(dir, 'bres/second')).length, 2);
    assert.equal(read(dir, 'bres/.nightmark/failed/second/000__m3_4, 8u.1.log'), 'bad\n');
  });

  test('only failures, all of them, and filters', async () => {
    rmSync(join(dir, 'bres/first/007__m2_4u'), { recursive: true });
    assert.match(
      lastLine(await run(dir, 'bench.yaml', '--rerun-failed')),
      /executed: 2, recorded: 7, failed: 2$/,
    );
    const filtered = json(
      await run(dir, 'bench.yaml', '--force', '--filter', 'model_name=m1,run=2', '--json'),
    );
    assert.deepEqual(
      filtered.tests.map((one) => `${one.state} ${one.folder}`),
      ['succeeded first/004__m1_4u', 'succeeded first/005__m1_4u'],
    );
    const none = await run(dir, 'bench.yaml', '--filter', 'run=9');
    assert.deepEqual([none.code, /MATRIX_NOTHING_TO_RUN/.test(none.stderr)], [1, true]);
    const bad = await run(dir, 'bench.yaml', '--filter', 'abc');
    assert.deepEqual([bad.code, /MATRIX_BAD_FILTER/.test(bad.stderr)], [1, true]);
  });

  test('folders that the original made are recognized', async () => {
    const other = benchFolder();
    const old = join(other, 'bres/first/004__any name');
    mkdirSync(old, { recursive: true });
    cpSync(join(dir, 'bres/first/000__m1_4u/settings.yaml'), join(old, 'settings.yaml'));
    writeFileSync(join(old, 'exit_code'), '0');
    const { tests: planned } = json(await run(other, 'bench.yaml', '--expe', 'first', '--json'));
    assert.deepEqual([planned[0]?.state, planned[0]?.folder], ['recorded', 'first/004__any name']);
    assert.equal(planned[1]?.folder, 'first/005__m1_4u', 'numbers go on above the highest');
  });
});

describe('case 21: what cannot be run', () => {
  test('an unknown experiment is an error before anything runs', async () => {
    const dir = benchFolder();
    const ran = await run(dir, 'badtpl.yaml');
    assert.equal(ran.code, 1);
    assert.match(
      ran.stderr,
      /has no experiment "missing"\.\n {2}It has: a, b\.\n {2}\[MATRIX_UNKNOWN_EXPERIMENT\]/,
    );
    assert.equal(existsSync(join(dir, 'bres2')), false);
  });

  test('as the original counts: two templates that cannot be filled, then the unknown name stops it', async () => {
    const ran = await run(benchFolder(), 'badtpl.yaml', '--exit-count');
    assert.equal(ran.code, 2);
    assert.equal(lastLine(ran), 'total: 2, executed: 0, recorded: 0, failed: 2');
    assert.match(ran.stderr, /a FAILED: the path needs \{nope\}, which this test does not set \(it has: x\)/);
    assert.match(ran.stderr, /MATRIX_UNKNOWN_EXPERIMENT/);
  });

  test('a template that cannot be filled fails its tests and stops the rest where that is asked for', async () => {
    const dir = benchFolder();
    assert.equal((await run(dir, 'badtpl.yaml', '--expe', 'a,b')).code, 4);
    const stopped = await run(dir, 'badtpl.yaml', '--expe', 'a,b', '--stop-on-error');
    assert.equal(lastLine(stopped), 'total: 3, executed: 0, recorded: 0, failed: 1, not run: 2');
  });

  test('files that are missing or wrong, options that cannot be', async () => {
    const dir = folder({
      'bad.yml': 'matrix: {a: 1}\nrun: x\nordr: random\n',
      'm.yml': 'matrix: {}\nrun: "true"\n',
    });
    const missing = await run(dir, 'none.yml');
    assert.deepEqual([missing.code, /MATRIX_NO_FILE/.test(missing.stderr)], [1, true]);
    const bad = await run(dir, 'bad.yml');
    assert.equal(bad.code, 1);
    assert.match(bad.stderr, /^bad\.yml:3:1: error: ordr is not a known key\n {4}Did you mean "order"\?\n$/);
    for (const option of ['--jobs=0', '--seed=x', '--timeout=5', '--order=up', '--retries=-1'])
      assert.match((await run(dir, 'm.yml', option)).stderr, /\[CLI_INVALID_OPTION\]/, option);
  });
});

test('case 22: comma lists are lists under a flag', async () => {
  const dir = benchFolder();
  const plan = await run(dir, 'bench.yaml', '--expe', 'second', '--compat-lists', '--dry-run');
  assert.equal(plan.code, 0);
  assert.match(
    plan.stdout,
    /Results: .*\/bres\/second\/003__m3_8u\nCommand: run_ko\.sh\nDRY RUN: 4 of 4 tests would run, 0 would not\n$/,
  );
  assert.equal(existsSync(join(dir, 'bres')), false, 'a dry run makes nothing');
});

describe('a test', () => {
  test('gets its settings as variables, placeholders and a file, whatever is in them', async () => {
    const hostile = `a 'b' "c" $(touch pwned) \`touch pwned\` \\n; touch pwned #`;
    const text = [
      'matrix:',
      `  text: ${JSON.stringify(hostile)}`,
      '  many: [[1, two]]',
      '  batch-size: 1.0',
      '  seeds: [3]',
      `run: 'printf "%s|" {text} "{text}" "$NIGHTMARK_SETTING_TEXT" {many} {batch-size} {seed} "$NIGHTMARK_SETTING_BATCH_SIZE" "$PWD" > out'`,
      'path: x',
      '',
    ];
    const dir = folder({ 'm.yml': text.join('\n') });
    const ran = await run(dir, 'm.yml');
    assert.equal(ran.code, 0, ran.stderr);
    const own = join(dir, 'results/m/000__x');
    const words = [hostile, hostile, hostile, '[1,"two"]', '1.0', '3', '1.0', own];
    assert.equal(read(own, 'out'), `${words.join('|')}|`);
    assert.deepEqual(readdirSync(own).sort(), ['exit_code', 'out', 'run.log', 'settings.yaml']);
    assert.match(
      read(own, 'settings.yaml'),
      /^'@seed': 3\nbatch-size: 1\.0\nmany:\n- 1\n- two\ntext: 'a ''b''/,
    );
    const again = json(await run(dir, 'm.yml', '--json'));
    assert.equal(again.recorded, 1);
  });

  test('is tried again, ended after its time with all its processes, and distinguished', async () => {
    const dir = folder({
      'm.yml': [
        'matrix: {kind: [flaky, slow, killed]}',
        'script: t.sh {kind}',
        'retries: 1',
        'timeout: 2s',
        'path: "{kind}"',
        '',
      ].join('\n'),
      't.sh': `#!/bin/bash
case $1 in
  flaky) echo "try"; [ -e "$NIGHTMARK_MATRIX_DIR/seen" ] && exit 0; touch "$NIGHTMARK_MATRIX_DIR/seen"; exit 9 ;;
  slow) sleep 300 & echo $! >> "$NIGHTMARK_MATRIX_DIR/pids"; wait ;;
  killed) kill -9 $$ ;;
esac
`,
    });
    const { tests: done } = json(await run(dir, 'm.yml', '--json'));
    assert.deepEqual(
      done.map(({ state, exitCode, attempts }) => [state, exitCode, attempts]),
      [
        ['succeeded', 0, 2],
        ['failed', 124, 2],
        ['failed', 137, 2],
      ],
    );
    assert.match(done[1]?.message ?? '', /did not end within 2 s/);
    const pids = read(dir, 'pids').trim().split('\n');
    assert.equal(pids.length, 2);
    for (const pid of pids) assert.equal(isRunning(Number(pid)), false, `${pid} is left`);
    assert.equal(read(dir, 'results/.nightmark/failed/m/000__flaky.1.log'), 'try\n');
  });
});

describe('order and number', () => {
  const text = 'matrix: {n: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}\nrun: "true"\n';
  const order = (dir: string) =>
    tests(join(dir, 'results/m'))
      .map((name) => Number(name.replace(/^.*=/, '')))
      .join('');

  test('a random order is that of its seed, which is recorded', async () => {
    const orders: string[] = [];
    for (const seed of ['7', '7', '8']) {
      const dir = folder({ 'm.yml': text });
      assert.equal(
        json(await run(dir, 'm.yml', '--order', 'random', '--seed', seed, '--json')).seed,
        Number(seed),
      );
      orders.push(order(dir));
    }
    assert.equal(orders[0], orders[1]);
    assert.notEqual(orders[0], orders[2]);
    assert.notEqual(orders[0], '0123456789');
  });

  test('several run at once where that is asked for', async () => {
    // Each waits for the other: one after the other they would end by their timeout.
    const meet = `touch "$NIGHTMARK_MATRIX_DIR/{n}"; until [ -e "$NIGHTMARK_MATRIX_DIR/{other}" ]; do sleep 0.05; done`;
    const dir = folder({
      'm.yml': `matrix: {n: [a, b], conditions: [{when: {n: a}, set: {other: b}}, {when: {n: b}, set: {other: a}}]}\nrun: ${JSON.stringify(meet)}\ntimeout: 60s\n`,
    });
    assert.equal(
      lastLine(await run(dir, 'm.yml', '--jobs', '2')),
      'total: 2, executed: 2, recorded: 0, failed: 0',
    );
  });

  test('the journal has machine, seed, hash of the file, and each test', async () => {
    const dir = folder({ 'm.yml': 'matrix: {n: [1, 2]}\nrun: exit {n}\n' });
    await run(dir, 'm.yml', '--seed', '5');
    const own = join(dir, 'results/.nightmark/matrix');
    const [journal = '', plan = ''] = readdirSync(own).sort();
    const lines = read(own, journal)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ type, folder: at, exitCode }) =>
        [type, at, exitCode].filter((it) => it !== undefined).join(' '),
      ),
      ['begin', 'start m/000__n=1', 'end m/000__n=1 1', 'start m/001__n=2', 'end m/001__n=2 2', 'finish'],
    );
    assert.equal(lines[0]?.['seed'], 5);
    assert.match(String(lines[0]?.['fileHash']), /^[\da-f]{64}$/);
    assert.match(JSON.stringify(lines[0]?.['machine']), /^\{"id":"[\da-f]{12}","name":/);
    assert.deepEqual(JSON.parse(read(own, plan)), [
      { experiment: 'm', settings: { n: 1 }, command: 'exit 1' },
      { experiment: 'm', settings: { n: 2 }, command: 'exit 2' },
    ]);
  });
});

describe('an end in the middle', () => {
  const text = `matrix: {n: [1, 2, 3]}
run: 'echo {n} >> "$NIGHTMARK_MATRIX_DIR/calls"; if [ {n} = 2 ] && [ ! -e "$NIGHTMARK_MATRIX_DIR/go" ]; then echo $$ > "$NIGHTMARK_MATRIX_DIR/pid"; sleep 300; fi'
`;

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGKILL', -1],
  ] as const) {
    test(`after ${signal} only what is missing is run`, async () => {
      const dir = folder({ 'm.yml': text });
      const child = startBinary(['matrix', 'run', join(dir, 'm.yml')]);
      const ended = new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? -1)));
      while (!existsSync(join(dir, 'pid')) || read(dir, 'pid') === '')
        await new Promise((go) => setTimeout(go, 20));
      const busy = await run(dir, 'm.yml');
      assert.match(busy.stderr, /A matrix is running in .*results: process \d+ .*\[MATRIX_LOCKED\]/s);
      child.kill(signal);
      assert.equal(await ended, code);
      const own = join(dir, 'results/m');
      assert.deepEqual(tests(own), ['000__n=1', '001__n=2']);
      assert.equal(existsSync(join(own, '001__n=2/exit_code')), false);
      writeFileSync(join(dir, 'go'), '');
      assert.equal(lastLine(await run(dir, 'm.yml')), 'total: 3, executed: 2, recorded: 1, failed: 0');
      assert.equal(read(dir, 'calls'), '1\n2\n2\n3\n');
      assert.deepEqual(tests(own), ['000__n=1', '001__n=2', '002__n=3']);
      const pid = read(dir, 'pid').trim();
      assert.equal(existsSync(`/proc/${pid}`), false, 'what was running is gone');
    });
  }
});

describe('the script for another machine', () => {
  const bash = (script: string, ...args: readonly string[]) =>
    spawnSync('bash', [script, ...args], { encoding: 'utf8', cwd: root });

  test('makes the same folders as a run, and runs what failed again', async () => {
    const dir = benchFolder();
    const { code, stdout } = await run(dir, 'bench.yaml', '--remote-script');
    assert.equal(code, 0);
    writeFileSync(join(dir, 'r.sh'), stdout);
    await run(dir, 'bench.yaml');
    const first = bash(join(dir, 'r.sh'), join(dir, 'far-away'), dir);
    assert.equal(first.status, 2, first.stderr);
    assert.match(first.stderr, /total: 10, executed: 10, recorded: 0, failed: 2\n$/);
    execFileSync('diff', ['-r', '-x', '.nightmark', join(dir, 'bres'), join(dir, 'far-away')]);
    assert.match(
      bash(join(dir, 'r.sh'), join(dir, 'far-away'), dir).stderr,
      /executed: 2, recorded: 8, failed: 2\n$/,
    );
    assert.equal(bash(join(dir, 'r.sh')).status, 126);
  });

  test('hostile values, files and names stay what they are', async () => {
    const hostile = `'; touch "$RESULTS_DIR/pwned"; $(touch pwned) \`touch pwned\` "\\\n%s -n`;
    const value = JSON.stringify(hostile);
    const dir = folder({
      'm.yml': `matrix: {v: [${value}], w: 1}\nrun: 'printf %s {v} > out; printf %s "$NIGHTMARK_SETTING_V" > env; exit {w}'\nfiles: {"sub/it's": ${value}}\npath: "{v}"\n`,
    });
    const { stdout } = await run(dir, 'm.yml', '--remote-script', '--timeout', '1m');
    writeFileSync(join(dir, 'r.sh'), stdout);
    const ran = bash(join(dir, 'r.sh'), join(dir, 'out'), dir);
    assert.equal(ran.status, 1, ran.stderr);
    const [name = ''] = tests(join(dir, 'out/m'));
    const own = join(dir, 'out/m', name);
    for (const file of ['out', 'env', "sub/it's"]) assert.equal(read(own, file), hostile, file);
    assert.deepEqual(readdirSync(own).sort(), ['env', 'exit_code', 'out', 'run.log', 'settings.yaml', 'sub']);
    assert.deepEqual(readdirSync(join(dir, 'out')), ['m']);
    await run(dir, 'm.yml');
    execFileSync('diff', ['-r', '-x', '.nightmark', join(dir, 'results'), join(dir, 'out')]);
  });
});

test('examples/matrix: twelve tests with results, and nothing left to do', async () => {
  const dir = folder();
  cpSync('examples/matrix', dir, { recursive: true, filter: (path) => !path.endsWith('/results') });
  const ran = await run(dir, 'compression.yml');
  assert.equal(lastLine(ran), 'total: 12, executed: 12, recorded: 0, failed: 0', ran.stderr);
  const own = join(dir, 'results/compression');
  assert.equal(tests(own)[0], '000__level=1,size=20000,seed=1');
  const words = [
    'matrix',
    'kpi',
    join(dir, 'results'),
    '-w',
    join(dir, 'compression.workload.yml'),
    '--strict',
  ];
  const kpis = await runInProcess([...words, '--json', '--payloads', join(dir, 'payloads')]);
  assert.equal(kpis.code, 0, kpis.stderr);
  assert.equal((JSON.parse(kpis.stdout) as unknown[]).length, 24);
  assert.equal(readdirSync(join(dir, 'payloads')).length, 13);
  const gathered = await runInProcess([...words, '--json', '--gather']);
  const rows = JSON.parse(gathered.stdout) as { values: number[]; interval?: object; labels: object }[];
  assert.deepEqual(
    rows.map(({ values, interval }) => [values.length, interval !== undefined]),
    Array.from({ length: 12 }, () => [2, true]),
  );
  assert.deepEqual(rows[0]?.labels, { level: 1, size: 20000 });
  for (const name of tests(own)) {
    const { seconds, ratio } = JSON.parse(read(own, name, 'result.json')) as {
      seconds: number[];
      ratio: number;
    };
    assert.equal(seconds.length, 10);
    assert.ok(ratio > 2, `${name} ${ratio}`);
  }
  assert.equal(
    lastLine(await run(dir, 'compression.yml')),
    'total: 12, executed: 0, recorded: 12, failed: 0',
  );
});
