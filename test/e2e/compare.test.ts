import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CompareView } from '../../src/judge/app/compare/compare-view.ts';
import { runBinary } from '../support/binary.ts';
import { makeCompareHome, nightOf } from '../support/compare-home.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-compare-'));
const home = join(folder, 'home');
const compare = (...words: readonly string[]) => runInProcess(['compare', ...words, '--home', home]);

before(() => makeCompareHome(home));
after(() => rmSync(folder, { recursive: true }));

test('reports what is slower, what failed and what else differs, and ends with 3', async () => {
  const { code, stdout, stderr } = await runBinary(['compare', `${nightOf(18)}..latest`, '--home', home]);
  assert.equal(stderr, '');
  assert.match(stdout, /^2 failed in head, 1 slower, .*2 only in base, 2 only in head\n/);
  assert.match(
    stdout,
    /\n {2}slower {2}sort\/cpu\/A +\+\d+\.\d % \(\+\d+\.\d to \+\d+\.\d\) +[\d.]+ ms -> 1[\d.]+ ms\n/,
  );
  assert.match(
    stdout,
    /\n {2}commit of repo: a1a1a1a -> b2b2b2b\n {2}build\.compiler \(sort\): gcc 12 -> gcc 13\n/,
  );
  assert.match(stdout, /recorded facts are the same/);
  assert.match(stdout, /Not shown: .*\(--all\)/);
  assert.equal(code, 3);
});

test('says the same as JSON, and as a comment', async () => {
  const { code, stdout } = await compare(nightOf(18), 'latest', '--json');
  const view = JSON.parse(stdout) as CompareView;
  assert.deepEqual([code, view.counts.slower, view.counts.failed], [3, 1, 2]);
  const { stdout: comment } = await compare(nightOf(18), 'latest', '--markdown');
  assert.match(comment, /\| ▲ slower \| `sort\/cpu\/A` \|/);
  const { stdout: table } = await compare(nightOf(18), 'latest', '--csv');
  assert.equal(table.trim().split('\n').length, view.rows.length + 1);
});

test('what is only likely slower by more than --min-effect ends with 3 where that is asked for', async () => {
  const { stdout } = await compare(nightOf(18), 'latest', '--json');
  const { rows } = JSON.parse(stdout) as CompareView;
  const row = rows.find(({ verdict }) => verdict === 'slower') ?? assert.fail();
  const { change = 0, low = 0 } = row.shift?.relative ?? {};
  const between = `${(50 * (change + low)).toFixed(2)}%`;
  const plain = await compare(nightOf(18), 'latest', '--min-effect', between);
  assert.equal(plain.code, 4, 'nothing is surely slower, but experiments failed');
  assert.match(plain.stdout, /undecided \(1 likely slower/);
  assert.match(plain.stdout, /\n {2}likely slower {2}sort\/cpu\/A /);
  assert.equal((await compare(nightOf(18), 'latest', '--min-effect', between, '--or-likely')).code, 3);
});

test('nothing slower and nothing failed ends with 0, a failure with 4', async () => {
  const quiet = await compare(nightOf(17), nightOf(18), '--min-effect', '5%', '--all');
  assert.equal(quiet.code, 0, quiet.stdout);
  assert.match(quiet.stdout, /^8 the same\n/);
  assert.match(quiet.stdout, /\n {2}same {2}/);
  const broken = await compare('--min-effect', '5%');
  assert.equal(broken.code, 4, broken.stdout);
});

test('nothing to compare with ends with 2, a wrong word with 1 and what to say', async () => {
  const first = await compare('..20251201-000000-import');
  assert.equal(first.code, 2);
  assert.match(first.stderr, /There is no run before 20251201-000000-import/);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const none = await runInProcess(['compare', '--home', empty]);
  assert.deepEqual([none.code, none.stdout], [2, '']);
  const wrong = await compare('machine:bench-3');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /Did you mean machine:bench-[12]\?/);
  assert.match((await compare('--min-effect', 'much')).stderr, /CLI_INVALID_OPTION/);
});
