import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeCompareHome, nightOf } from '../../../test/support/compare-home.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../server/create-server.ts';
import type { CompareView } from '../app/compare/compare-view.ts';
import type { ComparedSeriesView } from '../app/compare/read-compared-series.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-compare-'));
const index = watchIndex(home);
const app = createServer(
  { home, isLoopback: true },
  { disk: localDisk, clock: { now: () => 0 }, index, report: (line) => assert.fail(line) },
);
const get = (url: string) => app.inject({ url, headers: { host: 'localhost:4177' } });
const compare = async (base: string, head: string): Promise<CompareView> => {
  const query = new URLSearchParams({ base, head });
  const { statusCode, body } = await get(`/api/compare?${query}`);
  assert.equal(statusCode, 200, body);
  return JSON.parse(body);
};
const verdicts = ({ rows }: CompareView) =>
  Object.fromEntries(
    rows.map(({ experiment, path, verdict }) => [`${experiment}/${path.join('/')}`, verdict]),
  );

before(() => makeCompareHome(home));
after(async () => {
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

test('one run against one: by the noise of earlier runs, with what is on one side only and what failed', async () => {
  const view = await compare(nightOf(18), 'latest');
  const found = verdicts(view);
  assert.equal(found['sort/cpu/A'], 'slower');
  assert.ok(['same', 'undecided'].includes(found['sort/cpu/B'] ?? ''));
  assert.equal(found['late/cpu/A'], 'new');
  assert.equal(found['early/cpu/A'], 'gone');
  assert.equal(found['breaks/cpu/A'], 'failed');
  const row = view.rows.find(({ experiment, path }) => experiment === 'sort' && path[1] === 'A');
  assert.deepEqual(row?.basis, { kind: 'past', runs: 19 });
  const { low = 0, high = 0 } = row?.shift?.relative ?? {};
  assert.ok(low > 0.08 && low < 0.1 && high > 0.1 && high < 0.12, `${low} ${high}`);
  assert.deepEqual(
    view.differences.differing.map(({ name, base, head }) => [name, base, head]),
    [
      ['repo', ['a1a1a1a'], ['b2b2b2b']],
      ['build.compiler', ['gcc 12'], ['gcc 13']],
    ],
  );
  assert.ok(view.differences.equal >= 5);
  assert.deepEqual(
    view.failures.map(({ side, experiment, failedStage }) => [side, experiment, failedStage]),
    [['head', 'breaks', 'run']],
  );
});

test('commits are sets of runs, judged by their own spread', async () => {
  const view = await compare('a1a1', 'repo@b2b2b2b');
  assert.deepEqual([view.base.matched, view.base.runs.length, view.head.runs.length], [26, 20, 4]);
  assert.equal(verdicts(view)['sort/cpu/A'], 'slower');
  assert.equal(verdicts(view)['sort/cpu/B'], 'same', 'runs on the slower machine do not count');
  assert.match(view.notes.join(), /6 runs left out/);
  const one = await compare('2026-01-01/2026-01-09', 'since:2026-01-21');
  assert.deepEqual([one.base.runs.length, one.head.runs.length], [9, 4]);
  assert.equal(verdicts(one)['sort/cpu/A'], 'slower');
  assert.equal(verdicts(one)['sort/cpu/B'], 'same');
});

test('two machines: what each ran, and a note that the difference may be theirs', async () => {
  const view = await compare('machine:bench-1', 'machine:bench-2');
  const row = view.rows.find(({ experiment, path }) => experiment === 'sort' && path[1] === 'B');
  assert.equal(row?.verdict, 'slower');
  assert.deepEqual(row?.basis, { kind: 'runs' });
  assert.ok(Math.abs((row?.change ?? 0) - 1) < 0.01, `${row?.change}`);
  assert.match(view.notes.join(), /different machines \(bench-1 and bench-2\)/);
  assert.ok(view.differences.differing.some(({ name, head }) => name === 'CPU' && head[0] === 'Slow'));
});

test('what is not asked for is the newest run and the one before on its machine', async () => {
  const { base, head } = JSON.parse((await get('/api/compare')).body) as CompareView;
  assert.deepEqual([base.asked, head.asked, head.runs[0]?.id], [nightOf(22), 'latest', nightOf(23)]);
  const { base: before } = JSON.parse((await get(`/api/compare?head=${nightOf(16)}`)).body) as CompareView;
  assert.equal(before.asked, nightOf(15), 'bench-2 ran later that day');
});

test('a branch is known of imports, and of nights it is said that it is not', async () => {
  assert.deepEqual(JSON.parse((await get('/api/compare/choices')).body).branches, ['feature/x']);
  const view = await compare('branch:feature/x', 'latest');
  assert.equal(view.base.runs[0]?.id, '20251201-000000-import');
  const { statusCode, body } = await get('/api/compare?base=branch:main');
  assert.equal(statusCode, 404);
  assert.match(body, /No run is recorded for the branch .*Known branches: feature\/x/);
});

test('a side that is nothing, several things or unclear is distinguished', async () => {
  const answers: [string, number, RegExp][] = [
    ['nothing', 404, /No run is \\"nothing\\"/],
    ['202601', 404, /30 runs begin with/],
    ['machine:', 400, /names no runs/],
    ['20260124-0200', 200, /"20260124-020000-test"/],
    ['01-24-2026-0200', 200, /"20260124-020000-test"/],
    ['__proto__', 404, /No run/],
    ['%', 404, /No run/],
  ];
  for (const [base, status, words] of answers) {
    const { statusCode, body } = await get(`/api/compare?${new URLSearchParams({ base })}`);
    assert.equal(statusCode, status, `${base}: ${body.slice(0, 200)}`);
    assert.match(body, words);
  }
});

test('the same as a table, as a comment, and run by run with samples', async () => {
  const query = `base=${nightOf(18)}&head=latest`;
  const csv = await get(`/api/compare.csv?${query}`);
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
  const lines = csv.body.trim().split('\n');
  assert.match(lines[0] ?? '', /^experiment,path,unit,better,verdict,base,/);
  assert.ok(lines.some((line) => /^sort,cpu\/A,s,lower,slower,0\.0\d+,1,0\.0\d+,1,0\.00/.test(line)));
  const { body: comment } = await get(`/api/compare.md?${query}`);
  assert.match(comment, /^### 2 failed in head, 1 slower, .*2 only in base, 2 only in head\n/);
  assert.match(
    comment,
    /\| ▲ slower \| `sort\/cpu\/A` \| \+\d+\.\d % \(\+\d+\.\d to \+\d+\.\d\) \| [\d.]+ ms \| 1\d\.\d ms \|/,
  );
  const found = await get(`/api/compare/series?${query}&experiment=sort&path=cpu&path=A`);
  const series = JSON.parse(found.body) as ComparedSeriesView;
  assert.deepEqual([series.base[0]?.runId, series.base[0]?.sampleCount], [nightOf(18), 9]);
  assert.equal(series.history.values.length, 30);
  assert.equal((await get(`/api/compare/series?${query}&experiment=sort&path=x`)).statusCode, 404);
});
