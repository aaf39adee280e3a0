import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../../test/support/in-process.ts';
import { iterationCsv } from '../../../test/support/iteration-csv.ts';
import { type Simulation, simulateDuets } from '../../../test/support/simulated-duets.ts';
import type { DuetAnalysis } from '../core/analysis/duet-analysis.ts';

const SIMULATED = 'test/golden/duet/simulated.csv';
const analyze = (...args: string[]) => runInProcess(['duet', 'analyze', ...args]);
const analysisOf = async (...args: string[]) =>
  JSON.parse((await analyze(...args, '--json')).stdout) as DuetAnalysis;

function table(...simulations: readonly Simulation[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'nightmark duets-')), 'runs.csv');
  writeFileSync(file, iterationCsv(simulations.flatMap(simulateDuets)));
  return file;
}

const slower: Simulation = { seed: 1, runs: 12, iterations: 20, ratio: 1.05, benchmark: 'parse' };
const equal: Simulation = { seed: 2, runs: 12, iterations: 20, ratio: 1, benchmark: 'sort' };

test('one benchmark is answered by a sentence, and slower is exit code 3', async () => {
  const { code, stdout, stderr } = await analyze(table(slower));
  assert.equal(stderr, '');
  assert.equal(code, 3);
  const [answer, , header, row] = stdout.split('\n');
  assert.match(
    answer ?? '',
    /^B is 5\.\d+ % slower than A: simulated\/parse, 95 % interval \+4\.\d+ to \+5\.\d+ %; 12 runs, \d+ pairs\.$/,
  );
  assert.match(header ?? '', /^ {2}verdict +benchmark +type +B \/ A +change +runs +pairs$/);
  assert.match(row ?? '', /^ {2}slower +simulated\/parse +duet +1\.05\d \[1\.04\d, 1\.05\d\] +\+5\.\d+ % \[/);
  assert.match(stdout, /--html FILE\.\n$/);
});

test('several benchmarks are counted, what is slower first; --no-fail exits with 0', async () => {
  const { code, stdout } = await analyze(table(equal, slower), '--no-fail');
  assert.equal(code, 0);
  assert.match(stdout, /^2 comparisons: 1 slower, 1 same within 1 %\.\n/);
  assert.ok(stdout.indexOf('simulated/parse') < stdout.indexOf('simulated/sort'));
});

test('what is only likely slower by more than --min-effect exits with 3 where that is asked for', async () => {
  // +5.0 % [+4.x, +5.x]: surely beyond 1 %, likely beyond 4.8 %, the same within 9 %.
  const file = table(slower);
  const coded = async (...options: string[]) => (await analyze(file, ...options)).code;
  assert.deepEqual(
    [await coded(), await coded('--min-effect', '4.8%'), await coded('--min-effect', '4.8%', '--or-likely')],
    [3, 0, 3],
  );
  assert.equal(await coded('--min-effect', '9%', '--or-likely'), 0);
  const { stdout } = await analyze(file, '--min-effect', '4.8%');
  assert.match(stdout, /^B is likely 5\.\d % slower than A, but not surely by more than 4\.8 %: /);
  assert.match(stdout, /\n {2}likely slower +simulated\/parse /);
  const { groups } = await analysisOf(file, '--min-effect', '4.8%');
  const { verdict, likely, estimand } = groups[0]?.judgement ?? assert.fail();
  assert.deepEqual([verdict, likely, estimand], ['undecided', 'slower', 'pseudo-median']);
});

test('equal sides exit with 0, too few runs with 2', async () => {
  assert.equal((await analyze(table(equal))).code, 0);
  const single = await analyze(table({ ...slower, runs: 1 }));
  assert.equal(single.code, 2);
  assert.match(
    single.stdout,
    /^Undecided: too few pairs to compare A and B: simulated\/parse; 1 run, \d+ pairs\.\n/,
  );
  assert.match(single.stdout, /note: One run has no spread: at least two are needed\./);
});

test('several sources are joined: the same run number in two files is two runs', async () => {
  const [one, other] = [table(slower), table({ ...slower, seed: 9 })];
  const { groups } = await analysisOf(one, other);
  assert.deepEqual(
    groups.map(({ counts, judgement }) => [counts.runs, judgement.runs]),
    [[24, 24]],
  );
});

test('a folder of results is judged without a table in between', async () => {
  const [folder, csv] = await Promise.all([
    analysisOf('test/golden/duet/results.tiny'),
    analysisOf('test/golden/duet/parsed.tiny.csv'),
  ]);
  assert.equal(folder.groups.length, 7);
  const essence = ({ groups }: DuetAnalysis) =>
    groups.map(({ benchmark, type, counts }) => [benchmark, type, counts]);
  assert.deepEqual(essence(folder), essence(csv));
  assert.equal(folder.groups[0]?.environment, 'vm');
});

test('--json has the options, every run and the other estimators, and is the same every time', async () => {
  const analysis = await analysisOf(SIMULATED, '--seed', '7');
  assert.deepEqual(await analysisOf(SIMULATED, '--seed', '7'), analysis);
  assert.deepEqual(analysis.options, {
    level: 0.95,
    minEffect: 0.01,
    minOverlap: 0,
    warmup: 'steady',
    pairing: 'exact',
    fdr: 0.05,
    seed: 7,
    slowdown: 0,
    compat: false,
  });
  for (const group of analysis.groups) {
    assert.equal(group.runs.length, 10);
    assert.ok(group.thesis && group.icpe && group.mannWhitney);
  }
});

test('other estimators say what they say under --compat, whatever our own options are', async () => {
  const [ours, compat] = [await analysisOf(SIMULATED), await analysisOf(SIMULATED, '--compat')];
  const others = ({ groups }: DuetAnalysis) => {
    return new Map(
      groups.map(({ suite, type, thesis, icpe, mannWhitney }) => [
        `${suite} ${type}`,
        { thesis, icpe, mannWhitney },
      ]),
    );
  };
  assert.deepEqual(others(ours), others(compat));
});

test("--compat prints the original's verdicts and fails by them", async () => {
  const { code, stdout } = await analyze(SIMULATED, '--compat');
  assert.equal(code, 3);
  assert.match(stdout, /^4 equal, 2 B slower, 3 A slower\.\n/);
  assert.match(
    stdout,
    /B slower +renaissance\/als +duet +lab-1 +-38\.\d ms +\d+\.\d+ ms +\d\.\d\d % +not equal/,
  );
  const { options } = await analysisOf(SIMULATED, '--compat');
  assert.deepEqual([options.minOverlap, options.warmup, options.pairing], [0.4, 'half', 'sweep']);
});

test('--slowdown makes equal sides unequal by as much', async () => {
  const { groups } = await analysisOf(table(equal), '--slowdown', '5%');
  assert.equal(groups[0]?.judgement.verdict, 'slower');
  assert.ok(Math.abs((groups[0]?.judgement.effect?.ratio ?? 0) - 1.05) < 0.01);
  const faster = await analysisOf(table(equal), '--slowdown=-5%');
  assert.equal(faster.groups[0]?.judgement.verdict, 'faster');
});

test('--html writes a page with a timeline and says so on stderr', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'nightmark duets-')), "it's.html");
  const { stdout, stderr } = await analyze(table(slower), '--html', file, '--level', '99%');
  assert.equal(stderr, `Wrote ${file}\n`);
  assert.match(stdout, /^B is 5/);
  const page = readFileSync(file, 'utf8');
  assert.match(page, /^<!doctype html>/);
  assert.match(page, /<title>A 0: \d+\sms<\/title>/);
  assert.match(page, /<rect/);
  assert.match(page, /<code>nightmark duet analyze &#39;[^<]*runs\.csv&#39; [^<]*--level=99%/);
});

test('names cannot write to the terminal', async () => {
  const file = table({ ...slower, benchmark: 'bad\u001b[31m' });
  const { stdout } = await analyze(file);
  assert.doesNotMatch(stdout, new RegExp(String.fromCharCode(27)));
  assert.match(stdout, /bad␛\[31m/);
});

test('wrong options are named with an example', async () => {
  for (const [option, value] of [
    ['level', '40%'],
    ['min-effect', 'some'],
    ['min-overlap', '1'],
    ['min-overlap', ''],
    ['warmup', 'long'],
    ['slowdown', '-100%'],
    ['fdr', '5'],
    ['seed', '-1'],
  ]) {
    const { code, stderr } = await analyze(SIMULATED, `--${option}=${value}`);
    assert.equal(code, 1, option);
    assert.match(stderr, new RegExp(`error: --${option} `));
    assert.match(stderr, /CLI_INVALID_OPTION/);
  }
  const missing = await analyze('nowhere.csv');
  assert.deepEqual([missing.code, /DUET_NO_RESULTS/.test(missing.stderr)], [1, true]);
});
