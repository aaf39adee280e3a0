import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runInProcess } from '../support/in-process.ts';

/** Ninety nights of two experiments; "sort" is 20 % slower from the 61st on, "parse" does not change. */
function newHome(t: TestContext, more = ''): string {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-backtest-')));
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `backups: {before: false, after: false}\n${more}\nexperiments:\n${['sort', 'parse'].map((name) => `  ${name}: {run: 'echo 1'}\n`).join('')}`,
  );
  const random = seededRandom(11);
  for (const name of ['sort', 'parse']) {
    const data = join(home, 'results/experiments/data', name);
    fs.mkdirSync(data, { recursive: true });
    for (let night = 0; night < 90; night++) {
      const level = name === 'sort' && night >= 60 ? 1.2 : 1;
      const time = level * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())));
      const [year, month, day] = new Date(Date.UTC(2024, 0, 1 + night)).toISOString().slice(0, 10).split('-');
      fs.writeFileSync(join(data, `data_${month}-${day}-${year}-0300.json`), JSON.stringify({ time }));
    }
  }
  return home;
}

const backtest = async (home: string, ...options: readonly string[]) =>
  JSON.parse((await runInProcess(['changes', home, '--backtest', '--json', ...options])).stdout);

test('methods are replayed over the stored history and held against what people said', async (t) => {
  const home = newHome(t);
  const listed = JSON.parse((await runInProcess(['changes', home, '--json'])).stdout);
  assert.equal(listed.changes.length, 1);
  const { id } = listed.changes[0];
  await runInProcess(['changes', 'triage', id, '--state', 'confirmed', '--home', home]);
  const ours = await backtest(home);
  assert.deepEqual([ours.method, ours.series, ours.judged], ['nightmark', 2, 173]);
  assert.deepEqual(
    ours.alerts
      .filter(({ triage }: { triage?: string }) => triage === 'true')
      .map(({ index }: { index: number }) => index),
    [60],
  );
  assert.deepEqual([ours.found.count, ours.found.of, ours.medianDelay.values], [1, 1, 0]);
  const old = await backtest(home, '--method', 'one-sd');
  assert.ok(old.alerts.length > 5 * ours.alerts.length, `${old.alerts.length} against ${ours.alerts.length}`);
  for (const method of ['hunter', 'stdev', 'zscore'])
    assert.equal((await backtest(home, '--method', method)).method, method);
  const { stdout } = await runInProcess(['changes', home, '--backtest']);
  assert.match(stdout, /^nightmark: \d+ alerts? in 173 values of 2 series, 0\.\d\d a week\n/);
  assert.match(stdout, /\n {2}1 of 1 \(\d+ to 100 %\) of the confirmed regressions had an alert\n/);
  assert.match(stdout, /\n {2}2024-03-01 {2}sort\/time .*\[real\]\n/);
  const card = await runInProcess(['changes', 'scorecard', home]);
  assert.match(card.stdout, /^experiment +reported +real .*\nsort +1 +1 +0 +0 +0 +100 % \(\d+ to 100\)/);
});

test('a budget says what thresholds follow, and a night keeps them', async (t) => {
  const home = newHome(t, 'regress: {budget: 1 per 100 days}');
  const { thresholds } = await backtest(home, '--budget', '1 per year');
  assert.ok(thresholds.falseAlarms < 0.01 && thresholds.expected <= 1.001, JSON.stringify(thresholds));
  const own = (await backtest(home)).thresholds;
  assert.ok(own.falseAlarms > thresholds.falseAlarms, 'more alarms are bearable in 100 days than in a year');
  assert.equal((await runInProcess(['changes', home])).code, 0);
  const cache = join(home, '.nightmark/cache/alarm-thresholds.json');
  const kept = JSON.parse(fs.readFileSync(cache, 'utf8'));
  assert.deepEqual([kept.falseAlarms, kept.maxP], [own.falseAlarms, own.maxP]);
  fs.writeFileSync(cache, '{"key": 1');
  assert.equal((await runInProcess(['changes', home, '--judge'])).code, 0);
  assert.deepEqual(JSON.parse(fs.readFileSync(cache, 'utf8')), kept, 'a damaged cache is made anew');
});

test('mistakes are reported, and what there is nothing to look back at', async (t) => {
  const home = newHome(t);
  const file = join(home, 'series.txt');
  fs.writeFileSync(file, '1\n2\n3\n');
  for (const wrong of [
    [home, '--backtest', '--method', 'mean'],
    [home, '--backtest', '--budget', 'often'],
    [home, '--backtest', '--days', '0'],
    [home, '--method', 'hunter'],
    [file, '--backtest'],
  ]) {
    const { code, stderr } = await runInProcess(['changes', ...wrong]);
    assert.deepEqual([code, /CLI_INVALID_OPTION/.test(stderr)], [1, true], wrong.join(' '));
  }
  const late = await runInProcess(['changes', home, '--backtest', '--days', '3']);
  assert.deepEqual([late.code, /^nightmark: 0 alerts in 0 values/.test(late.stdout)], [2, true], late.stdout);
  fs.rmSync(join(home, 'results'), { recursive: true });
  fs.rmSync(join(home, '.nightmark'), { recursive: true });
  assert.equal((await runInProcess(['changes', home, '--backtest'])).code, 2);
});
