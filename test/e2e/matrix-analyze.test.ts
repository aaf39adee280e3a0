import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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
import { after, test } from 'node:test';
import type { Shift } from '../../src/home/core/changes/change.ts';
import { REPORT_SCRIPT, REPORT_SCRIPT_HASH } from '../../src/judge/core/regression/report-html.ts';
import { runBinary } from '../support/binary.ts';
import { goldenPayloads } from '../support/golden-payloads.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-analyze-'));
after(() => rmSync(folder, { recursive: true }));

const LTS = join(process.cwd(), 'test/golden/matrix/lts');
const EXPECTED = join(process.cwd(), 'test/golden/matrix/expected');
const WORKLOAD = join(process.cwd(), 'examples/matrix-tiny/tiny.workload.yml');
const at = (...names: string[]) => join(folder, ...names);
const read = (file: string) => readFileSync(file, 'utf8');

let trees = 0;
function newTree(): string {
  const tree = at(`tree-${trees++}`);
  cpSync('test/golden/matrix/results', tree, { recursive: true });
  return tree;
}

const words = (tree: string, history: string, ...options: string[]) => [
  'matrix',
  'analyze',
  tree,
  '--history',
  history,
  '-w',
  WORKLOAD,
  ...options,
];

const analyze = (...args: Parameters<typeof words>) => runInProcess(words(...args));

interface Told {
  readonly summary: Record<string, number | string>;
  readonly left_out: { readonly entries: readonly string[]; readonly ignored_kpis: readonly string[] };
  readonly entries: readonly {
    readonly labels: Record<string, unknown>;
    readonly kpis: readonly {
      readonly kpi: string;
      readonly state: string;
      readonly history: readonly { readonly value: number }[];
    }[];
  }[];
}

test('with --compat counts, words and exit code are those of the original', async () => {
  const { code } = await analyze(newTree(), LTS, '--compat', '--summary', at('all.yaml'));
  assert.equal(code, 2, 'the number of failures');
  assert.equal(read(at('all.yaml')), read(join(EXPECTED, 'regression_summary.yaml')));
  const one = await analyze(newTree(), LTS, '--compat', '--kpi', 'memory', '--summary', at('one.yaml'));
  assert.equal(one.code, 0);
  assert.equal(read(at('one.yaml')), read(join(EXPECTED, 'summary_kpifilter.yaml')));
});

test('a regression is exit code 3, an improvement and what was left out are reported', async () => {
  const { code, stdout } = await runBinary(words(newTree(), LTS, '--json'));
  assert.equal(code, 3);
  const { summary, left_out, entries } = JSON.parse(stdout) as Told;
  assert.deepEqual([summary['failures'], summary['significant_performance_increase']], [1, 1]);
  assert.match(String(left_out.entries), /003__m2_128 \(virtual_users=128\)$/);
  assert.deepEqual(left_out.ignored_kpis, ['tiny_samples']);
  const worse = entries.flatMap(({ labels, kpis }) =>
    kpis.filter(({ state }) => state === 'regression').map(({ kpi }) => [labels['model_name'], kpi]),
  );
  assert.deepEqual(worse, [['m2', 'tiny_throughput']]);
});

test('what is only likely worse by more than --min-effect is exit code 3 where that is asked for', async () => {
  const tree = newTree();
  const file = join(tree, 'expe/000__m1_4/000__run/result.json');
  const result = JSON.parse(read(file)) as { memory_mb: number };
  writeFileSync(file, JSON.stringify({ ...result, memory_mb: 1.2 * result.memory_mb }));
  const memory = (...options: string[]) => analyze(tree, LTS, '--kpi', 'memory', ...options);
  const { entries } = JSON.parse((await memory('--json')).stdout) as {
    entries: { kpis: { state: string; shift: Shift }[] }[];
  };
  const worse = entries.flatMap(({ kpis }) => kpis).find(({ state }) => state === 'regression');
  const { change, low } = worse?.shift.relative ?? assert.fail();
  const between = ['--min-effect', String((change + low) / 2)];
  const plain = await memory(...between);
  assert.equal(plain.code, 0, plain.stdout);
  assert.match(plain.stdout, /undecided \(1 likely worse\)/);
  assert.match(plain.stdout, /\nlikely worse +Entry 1/);
  assert.equal((await memory(...between, '--or-likely')).code, 3);
});

/** The golden tree and its history with another name of the throughput, and a workload without its direction. */
function renamed(name: string): readonly [tree: string, history: string, workload: string] {
  const [history, workload] = [at(`lts-${name}`), at(`${name}.workload.yml`)];
  cpSync(LTS, history, { recursive: true });
  for (const file of readdirSync(history, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue;
    writeFileSync(join(history, file), read(join(history, file)).replaceAll('tiny_throughput', name));
  }
  const text = read(WORKLOAD).replace('tiny_throughput:', `${name}:`).replace('    better: higher\n', '');
  writeFileSync(workload, text.replace('unit: req/s\n', 'unit: "1"\n'));
  return [newTree(), history, workload];
}

test('a KPI without a direction gets one from its name, or the gate says that it cannot judge', async () => {
  const gate = (name: string, ...options: string[]) => {
    const [tree, history, workload] = renamed(name);
    return runInProcess(['matrix', 'analyze', tree, '--history', history, '-w', workload, ...options]);
  };
  const inferred = await gate('tiny_goodput', '--json');
  assert.equal(inferred.code, 3, inferred.stderr);
  assert.match(inferred.stdout, /"better": "higher",\s*"better_from": "inferred"/);
  const unknown = await gate('tiny_widgets', '--json');
  assert.equal(unknown.code, 2, unknown.stderr);
  assert.match(unknown.stderr, /The gate could not judge: tiny_widgets changed and has no direction/);
  assert.deepEqual((JSON.parse(unknown.stdout) as { unknown_direction: string[] }).unknown_direction, [
    'tiny_widgets',
  ]);
  assert.equal((await gate('tiny_widgets', '--allow-unknown')).code, 0);
});

test('the history of a home, of a KPI file and of payloads is the same', async () => {
  const home = at('home');
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), '{}');
  const kpis = at('kpis.json');
  await runInProcess(['matrix', 'import', '--from', `files:${LTS}`, '--store', home]);
  await runInProcess(['matrix', 'import', '--from', `files:${LTS}`, '--to', `caliper:${kpis}`]);
  const tree = newTree();
  const [first, ...others] = await Promise.all(
    [LTS, home, kpis].map((history) => analyze(tree, history, '--json')),
  );
  assert.equal(first?.code, 3);
  for (const other of others) assert.equal(other.stdout, first?.stdout);
});

test('KPI files of both schemas, as another program wrote them, give the history of the payloads', async () => {
  const lines: string[] = [];
  const tests = goldenPayloads().map(({ metadata, kpis }) => {
    const { version = '', model_name = '', virtual_users = '', run_id = '' } = metadata.settings;
    const labels = { version, model_name, virtual_users };
    const scalars = Object.entries(kpis).filter(([, { value }]) => typeof value === 'number');
    for (const [kpi_id, { value, unit }] of scalars)
      lines.push(JSON.stringify({ kpi_id, value, unit, run_id, timestamp: metadata.start, labels }));
    const facts = scalars.map(([id, { value, unit }]) => ({ id, value, unit, is_curve: false }));
    return { run_id, labels, metadata: { timestamp: metadata.start }, kpis: facts };
  });
  writeFileSync(at('one.jsonl'), `${lines.join('\n')}\n`);
  writeFileSync(at('two.json'), JSON.stringify({ schema_version: '2', tests }));
  const tree = newTree();
  const histories = await Promise.all(
    [LTS, at('one.jsonl'), at('two.json')].map(async (history) => {
      const { entries } = JSON.parse((await analyze(tree, history, '--json')).stdout) as Told;
      return entries.map(({ kpis }) => kpis.map((kpi) => [kpi.state, kpi.history.map(({ value }) => value)]));
    }),
  );
  assert.deepEqual(histories[1], histories[0]);
  assert.deepEqual(histories[2], histories[0]);
  assert.equal(histories[0]?.[0]?.[0]?.[1]?.length, 12);
});

test('no history is exit code 2, and the original leaves its mark', async () => {
  mkdirSync(at('empty'));
  const { code, stdout } = await analyze(newTree(), at('empty'));
  assert.equal(code, 2);
  assert.match(stdout, /^6 KPI values of 3 entries by nightmark: 6 without history\.$/m);
  const compat = await analyze(newTree(), at('empty'), '--compat', '--summary', at('marks', 'sum.yaml'));
  assert.equal(compat.code, 0);
  assert.ok(existsSync(at('marks', 'NO_HISTORICAL_RESULTS')));
  assert.match(read(at('marks', 'sum.yaml')), /^no_history: 3$/m);
});

test('a test without a value does not pass', async () => {
  const tree = newTree();
  rmSync(join(tree, 'expe/002__m2_4/000__run'), { recursive: true });
  const { code, stdout } = await analyze(tree, LTS);
  assert.equal(code, 4);
  assert.match(stdout, /^no value .* tiny_throughput .*--- req\/s/m);
});

test('the page is whole, escaped, and allows no script but its own', async () => {
  const tree = newTree();
  const settings = join(tree, 'expe/000__m1_4/settings.yaml');
  writeFileSync(settings, 'model_name: "<script>alert(1)</script>"\nvirtual_users: 4\n');
  const options = ['--html', at('page.html'), '--markdown', at('page.md')];
  assert.equal((await analyze(tree, LTS, ...options)).code, 3);
  const page = read(at('page.html'));
  assert.ok(!page.includes('<script>alert'));
  assert.ok(page.includes('&#60;script&#62;alert(1)'));
  assert.equal(page.match(/<script>/g)?.length, 1);
  assert.ok(!/(?:src|href)="(?!#|http:\/\/example\.invalid)/.test(page), 'nothing is fetched');
  assert.ok(page.includes(`script-src '${REPORT_SCRIPT_HASH}'`));
  for (const part of ['Results overview', 'Configuration overview', 'Historical records overview', '<svg'])
    assert.ok(page.includes(part), part);
  assert.match(read(at('page.md')), /^## Regression\n[\s\S]*\| worse \| .*tiny_throughput/);
  assert.ok(!/(?<!`.*)<script>/.test(read(at('page.md'))));
});

test('the script of the page is the one that the page allows', () => {
  assert.equal(`sha256-${createHash('sha256').update(REPORT_SCRIPT).digest('base64')}`, REPORT_SCRIPT_HASH);
});

test('a document of the history that is none is reported, and the others are used', async () => {
  const history = at('mixed');
  cpSync(LTS, history, { recursive: true });
  writeFileSync(join(history, 'bad.json'), '{"nothing": 1}');
  const { code, stderr } = await analyze(newTree(), history);
  assert.equal(code, 3);
  assert.match(stderr, /bad\.json: it has no metadata/);
  assert.match(stderr, /warning: 1 of 35 documents of the history are not payloads/);
});

test('contradicting options are refused', async () => {
  const tree = newTree();
  for (const [history, options, words] of [
    [at('nowhere'), [], /There is no history .*nowhere/],
    [tree, [], /is neither a folder of payloads nor a home[\s\S]*matrix kpi/],
    [LTS, ['--method', 'guess'], /Unknown method: guess/],
    [LTS, ['--min-effect', '200%'], /Invalid --min-effect: 200%/],
    [LTS, ['--order', 'text'], /Invalid --order: text/],
  ] as const) {
    const { code, stderr } = await analyze(tree, history, ...options);
    assert.equal(code, 1);
    assert.match(stderr, words);
  }
});
