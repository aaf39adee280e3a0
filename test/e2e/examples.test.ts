import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** The examples and the templates, run by the built program as a user would. */
const main = join(process.cwd(), 'dist/src/cli/nightmark.cjs');

interface Outcome {
  readonly run: {
    readonly id: string;
    readonly label: string;
    readonly seed: number;
    readonly order: string[];
  };
  readonly trials: readonly {
    readonly task: string;
    readonly state: string;
    readonly failedStage?: string;
    readonly message: string;
  }[];
}

// A night brings its own helpers; one from outside would win.
const { BENCHMARK_DEPS: _, ...withoutHelpers } = process.env;

function nightmark(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: withoutHelpers,
  });
  return { status, stdout, stderr };
}

/** A copy of an example in a folder whose name has a space in it. */
function copyOf(example: string): string {
  const home = join(mkdtempSync(join(tmpdir(), 'nightmark-example-')), 'my home');
  cpSync(join(process.cwd(), 'examples', example), home, {
    recursive: true,
    filter: (path) => !/\/(\.nightmark|setup)$/.test(path),
  });
  return home;
}

function runNight(home: string): Outcome & { readonly status: number | null } {
  const { status, stdout, stderr } = nightmark(home, 'run', '.', '--json');
  assert.ok(stdout.startsWith('{'), stderr);
  return { ...(JSON.parse(stdout) as Outcome), status };
}

const readJson = (...path: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(join(...path), 'utf8')) as Record<string, unknown>;

/** All numbers of a data file but those under "detailed", as {path: value}. */
function valuesOf(home: string, experiment: string, label: string): Record<string, number> {
  const { detailed: _, ...tree } = readJson(
    home,
    `results/experiments/data/${experiment}/data_${label}.json`,
  );
  return Object.fromEntries(leaves(tree, ''));
}

function leaves(tree: object, prefix: string): [string, number][] {
  return Object.entries(tree).flatMap(([key, value]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + key, value]];
    return typeof value === 'object' && value !== null ? leaves(value, `${prefix}${key}/`) : [];
  });
}

function assertPositive(values: Record<string, number>, names: readonly string[]): void {
  assert.deepEqual(Object.keys(values).sort(), [...names].sort());
  for (const [name, value] of Object.entries(values))
    assert.ok(value > 0 && Number.isFinite(value), `${name} ${value}`);
}

test('examples/nightly: a night with one failure beside 36 recorded ones', async (t) => {
  const home = copyOf('nightly');
  const { status, run, trials } = runNight(home);
  const stateOf = Object.fromEntries(trials.map(({ task, state }) => [task, state]));

  await t.test('ends with exit code 4: six succeed, one fails, one is inactive', () => {
    assert.equal(status, 4);
    assert.deepEqual(stateOf, {
      census: 'failed',
      compression: 'succeeded',
      file_writes: 'succeeded',
      json_documents: 'succeeded',
      matrix_multiply: 'inactive',
      regular_expressions: 'succeeded',
      sorting: 'succeeded',
      startup: 'succeeded',
      digest: 'succeeded',
      tally: 'succeeded',
    });
  });

  await t.test('says what failed and why', () => {
    const census = trials.find(({ task }) => task === 'census');
    assert.equal(census?.failedStage, 'run');
    assert.match(census?.message ?? '', /^census\.csv is not there\. This example fails on purpose/);
    const recorded = readJson(home, 'results/experiments/status/census/run.json');
    assert.deepEqual([recorded['success'], recorded['message']], [false, census?.message]);
    assert.equal(existsSync(join(home, 'results/experiments/data/census')), false);
  });

  await t.test('stores what was measured', () => {
    const seconds = (names: string) => names.split(' ').map((name) => `seconds/${name}`);
    const { label } = run;
    assertPositive(valuesOf(home, 'sorting', label), seconds('built_in quick merge heap'));
    assertPositive(
      valuesOf(home, 'json_documents', label),
      seconds('parse_records parse_numbers stringify_records stringify_indented'),
    );
    const codecs = ['gzip_1', 'gzip_6', 'brotli_4', 'site'];
    const compression = valuesOf(home, 'compression', label);
    assertPositive(compression, [
      ...codecs.map((name) => `seconds/${name}`),
      ...codecs.map((name) => `bytes/${name}`),
    ]);
    assert.ok(
      (compression['bytes/site'] ?? 0) < (compression['bytes/gzip_1'] ?? 0),
      'a higher level packs tighter',
    );
    assertPositive(
      valuesOf(home, 'regular_expressions', label),
      seconds('literal alternation captures look_behind'),
    );
    assertPositive(valuesOf(home, 'startup', label), seconds('node bash'));
    assertPositive(valuesOf(home, 'file_writes', label), seconds('plain rename append'));
  });

  await t.test('keeps the recorded nights, each marked as example data', () => {
    const dir = join(home, 'results/experiments/data/compression');
    const files = readdirSync(dir);
    assert.equal(files.length, 37);
    const examples = files.filter((file) => readJson(dir, file)['example'] === true);
    assert.equal(examples.length, 36);
    assert.ok(!examples.includes(`data_${run.label}.json`));
  });

  await t.test('draws, summarizes, records telemetry and runs the subsystems in order', () => {
    const svg = readFileSync(join(home, 'results/experiments/graph/compression/bytes.svg'), 'utf8');
    assert.match(svg, /^<svg [\s\S]*<polyline [\s\S]*<\/svg>\s*$/);
    const summary = readJson(home, 'results/experiments/summary/sorting/summary.json');
    assert.equal(summary['title'], 'Sorting 20,000 numbers');
    assert.match(String(summary['value']), /^_seconds_\nbuilt_in: .* \(median of 14 nights before: /);
    const telemetry = join(home, 'results/subsystem/telemetry/regular_expressions/cpu');
    const [file = ''] = readdirSync(telemetry);
    assert.ok(Object.keys(readJson(telemetry, file)).length > 1, 'more than a timestamp');
    const output = join(home, 'results/subsystem/output');
    const rows = readFileSync(join(output, 'digest/results.csv'), 'utf8').trim().split('\n');
    assert.equal(rows.length, 1 + 37 * (4 + 4 + 8 + 4 + 2 + 3));
    assert.match(
      String(readJson(output, 'tally/report.json')['value']),
      /sorting: 148 values in 37 nights\n/,
    );
  });

  await t.test('the order is drawn from the seed of config.json', () => {
    assert.equal(run.seed, 20260905);
    const plan = (...seed: string[]) => {
      const { stdout } = nightmark(home, 'run', '.', '--dry-run', '--json', ...seed);
      const { experiments } = JSON.parse(stdout) as { experiments: { name: string }[] };
      return experiments.map(({ name }) => name);
    };
    const planned = plan();
    assert.equal(planned.length, 8);
    assert.deepEqual(
      planned,
      run.order.filter((name) => planned.includes(name)),
    );
    assert.notDeepEqual(plan('--seed', '1'), planned);
  });
});

test('examples/native: every form of an experiment in nightmark.yml', async (t) => {
  const home = copyOf('native');
  assert.deepEqual(nightmark(home, 'check', '.').status, 0, nightmark(home, 'check', '.').stdout);
  const { status, run, trials } = runNight(home);

  await t.test('everything succeeds', () => {
    const failed = trials.filter(({ state }) => state !== 'succeeded');
    assert.deepEqual(failed, []);
    assert.equal(status, 0);
    assert.equal(trials.length, 6);
    assert.ok(run.order.indexOf('compression') < run.order.indexOf('hashing'), 'after is kept');
  });

  await t.test('stores what each format holds', () => {
    const { label } = run;
    assertPositive(valuesOf(home, 'startup', label), ['node -e 0', 'bash -c :']);
    const sorting = valuesOf(home, 'sorting', label);
    assert.ok(
      Object.values(sorting).every((value) => value >= 0 && value < 60),
      'microseconds became seconds',
    );
    const sizes = Object.keys(sorting).map((path) => path.split('/').slice(0, 2).join('/'));
    assert.deepEqual([...new Set(sizes)].sort(), ['BM_Sort/1000', 'BM_Sort/10000', 'BM_Sort/50000']);
    assertPositive(valuesOf(home, 'compression', label), [
      ...['gzip/1', 'gzip/6', 'brotli/4'].flatMap((name) => [`${name}/seconds`, `${name}/bytes`]),
    ]);
    assertPositive(valuesOf(home, 'parsing', label), [
      'flat/parse',
      'flat/stringify',
      'records/parse',
      'records/stringify',
    ]);
    assertPositive(valuesOf(home, 'hashing', label), ['seconds/sha256', 'seconds/sha512', 'seconds/md5']);
  });

  await t.test('the task saw the results of the same night', () => {
    const table = readFileSync(join(home, 'results/subsystem/output/table/table.md'), 'utf8');
    assert.match(table, /\| hashing \| seconds \/ sha256 \| 0\.\d+/);
    assert.match(table, /\| parsing \| flat \/ parse \| /);
  });
});

for (const [name, options, experiments] of [
  ['init', [], { sort: ['plain', 'typed'], json: ['parse', 'stringify'] }],
  ['init --dashboard', ['--dashboard'], { sorting: ['seconds/plain', 'seconds/typed'] }],
] as const) {
  test(`${name}: the new home passes check, runs, and has a status`, () => {
    const cwd = mkdtempSync(join(tmpdir(), 'nightmark-fresh-'));
    assert.equal(nightmark(cwd, 'init', 'new home', ...options).status, 0);
    const home = join(cwd, 'new home');
    const check = nightmark(home, 'check');
    assert.equal(check.status, 0, check.stdout + check.stderr);
    const { status, run, trials } = runNight(home);
    assert.deepEqual(
      trials.filter(({ state }) => state !== 'succeeded'),
      [],
    );
    assert.equal(status, 0);
    for (const [experiment, names] of Object.entries(experiments)) {
      assertPositive(valuesOf(home, experiment, run.label), names);
    }
    const shown = nightmark(home, 'status');
    assert.equal(shown.status, 0, shown.stderr);
    assert.ok(shown.stdout.includes(run.label) || shown.stdout.includes(run.id), shown.stdout);
  });
}
