import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { HOSTILE, LAST_NIGHT, LONG, makeSampleHome, nightId } from '../../test/sample-home.ts';
import type { Overview } from '../dashboard/app/home/read-overview.ts';
import type { ExperimentView } from '../dashboard/app/read-experiment.ts';
import type { ExperimentHistory } from '../dashboard/app/read-history.ts';
import type { RunView } from '../dashboard/app/runs/read-run.ts';
import { openSqliteStore } from '../home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../home/cli/home-index.ts';
import { homeLayout } from '../home/core/home-layout.ts';
import type { Run } from '../home/core/run.ts';
import type { ChangeView } from '../judge/app/changes/list-changes.ts';
import { triageChanges } from '../judge/app/changes/triage-changes.ts';
import localDisk from '../platform/adapters/local-disk/local-disk.ts';
import { createServer } from './create-server.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark server-'));
const index = watchIndex(home);
const reports: string[] = [];
const effects = {
  disk: localDisk,
  clock: { now: () => LAST_NIGHT + 5 * 3_600_000 },
  index,
  report: (line: string) => void reports.push(line),
};
const app = createServer({ home, isLoopback: true }, effects);
const get = (url: string, on: FastifyInstance = app, headers = {}) =>
  on.inject({ url, headers: { host: 'localhost:4177', ...headers } });

before(() => makeSampleHome(home, 40));
after(async () => {
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

test('every page is the same few lines, and the answer is in its document', async () => {
  const { statusCode, body, headers } = await get('/');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(body, /<script type="module" src="\/page\/main-[\w-]+\.js"><\/script>/);
  // Only the parts that the browser fetches beforehand are others.
  const plain = (text: string) => text.replace(/<link rel="modulepreload"[^>]*>/g, '');
  assert.equal(plain((await get('/experiments/sort')).body), plain(body));
  const { last, project } = (await get('/api/experiments')).json() as Overview;
  assert.equal(project, 'sample');
  assert.equal(last?.run.endedAt, LAST_NIGHT + 4_320_000);
  assert.deepEqual([last?.experiments.succeeded, last?.experiments.total], [4, 5]);
});

test('changes are reported with their interval, and with what people said of them', async () => {
  const [first = { id: '' }] = JSON.parse((await get('/api/changes')).body).changes as { id: string }[];
  const store = await openSqliteStore(homeLayout(home).index);
  const said = { home, ids: [first.id], state: 'confirmed', note: HOSTILE, author: '<i>me</i>' } as const;
  await triageChanges(said, { disk: localDisk, store, clock: effects.clock });
  const [change] = await store.changes({ limit: 1 });
  assert.ok(change);
  const explanation = `kernel 6.1 -> <script>alert("2")</script>`;
  await store.saveChanges([{ ...change, explanation }]);
  store.close();
  const { headers, body } = await get('/api/changes');
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  const { changes, openRegressions } = JSON.parse(body) as ChangeView;
  assert.equal(openRegressions, 2);
  const told = changes.find(({ id }) => id === first.id);
  assert.equal(told?.state, 'confirmed');
  assert.ok(JSON.stringify(told).includes(JSON.stringify(HOSTILE)));
  assert.ok(changes.some((one) => one.explanation === explanation));
  const open = JSON.parse((await get('/changes.json?open=1')).body);
  assert.deepEqual([open.changes.length, open.openRegressions], [2, 2]);
  const { changes: ofHome } = (await get('/api/experiments')).json() as Overview;
  assert.ok(ofHome.some((one) => one.explanation === explanation));
});

test('failures, missing experiments and open changes are in the document of the home', async () => {
  const { experiments, changes } = (await get('/api/experiments')).json() as Overview;
  const line = (name: string) => experiments.find((one) => one.name === name);
  assert.equal(line('broken')?.state, 'failed');
  assert.equal(line('broken')?.trial.failedStage, 'run');
  assert.equal(line('broken')?.failedRuns.length, 5);
  assert.equal(line('gone')?.state, 'missing');
  assert.deepEqual([...new Set(changes.map((one) => one.direction))], ['worse']);
});

test('numbers come exact, with unit and direction', async () => {
  const { experiments } = (await get('/api/experiments')).json() as Overview;
  const values = experiments.find(({ name }) => name === 'sort')?.values ?? [];
  const [cpu] = values;
  assert.deepEqual([cpu?.unit, cpu?.better, cpu?.values.length], ['s', 'lower', 30]);
  assert.ok(values.some(({ path, values: all }) => path[0] === 'reward' && (all.at(-1) ?? 0) < -5));
});

test('names of experiments are taken as they are', async () => {
  const { experiments } = (await get('/api/experiments')).json() as Overview;
  assert.ok(experiments.some(({ name }) => name === HOSTILE));
  const page = await get(`/experiments/${encodeURIComponent(HOSTILE)}`);
  assert.equal(page.statusCode, 200);
  assert.ok(!page.body.includes('alert'));
  const { name } = (await get(`/api/experiments/${LONG}`)).json() as ExperimentView;
  assert.equal(name, LONG);
});

test('an experiment has its values, stages, summary, pictures and runs', async () => {
  const { summary, graphs, newest, recent } = (await get('/api/experiments/sort')).json() as ExperimentView;
  const history = (await get('/api/experiments/sort/history')).json() as ExperimentHistory;
  const values = history.series.find(({ path }) => path.join('/') === 'cpu/A');
  assert.ok(JSON.stringify(summary).includes(JSON.stringify('_12.5 ms_\nsecond line').slice(1, -1)));
  assert.ok(JSON.stringify(summary).includes('Sort <1>'));
  assert.deepEqual([values?.better, values?.values.length], ['lower', 40]);
  assert.equal(history.details, 1);
  assert.match(JSON.stringify(graphs), /all time\/picture one\.svg/);
  assert.ok(!JSON.stringify(graphs).includes('passwd'));
  assert.deepEqual(newest?.trial.commits, { repo: '6de6d63-dirty' });
  assert.equal(recent.length, 40);
  assert.match((await get('/api/experiments/json')).body, /not a JSON object/);
});

test('a run has its tasks, warnings, and what is needed to repeat it', async () => {
  const { run, tasks, machine } = (await get(`/api/runs/${nightId(0)}`)).json() as RunView;
  assert.deepEqual(run.warnings, ['sensors is missing: <i>no temperatures</i>']);
  assert.deepEqual([run.label, run.seed], ['01-31-2026-0200', 42]);
  assert.deepEqual([machine?.name, machine?.facts['cpu']], ['bench-1', 'Test CPU <b>']);
  assert.equal(tasks.find(({ trial }) => trial.task === 'broken')?.stages[0]?.attempts, 2);
  assert.equal(((await get(`/api/runs/${nightId(3)}`)).json() as RunView).run.state, 'interrupted');
});

test('a log reports its ends, and is whole as a file', async () => {
  const broken = (await get(`/api/runs/${nightId(0)}/logs/experiment/broken/run`)).json();
  assert.match(broken.ends.head, /<b>boom<\/b>\nexit 1\n$/);
  assert.deepEqual([broken.result.success, broken.result.exit.code], [false, 1]);
  assert.equal(broken.path, undefined);
  const address = `/api/runs/${nightId(0)}/logs/experiment/sort/run`;
  const { ends } = (await get(address)).json();
  assert.deepEqual([ends.size, ends.leftOutBytes], [1_200_021, 1_200_021 - 256 * 1024]);
  assert.match(ends.head, /^first line/);
  assert.match(ends.tail, /last line\n$/);
  const whole = await get(`${address}?whole=1`);
  assert.equal(whole.body.length, 1_200_021);
  assert.equal(whole.headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(String(whole.headers['content-security-policy']), /sandbox$/);
});

test('a log that was removed says so', async () => {
  const { statusCode, body } = await get(`/api/runs/${nightId(2)}/logs/experiment/json/run`);
  assert.equal(statusCode, 200);
  assert.equal(JSON.parse(body).ends, undefined);
});

test('unknown things are 404 with what to do', async () => {
  for (const [url, words] of [
    ['/api/experiments/nothing', /No experiment \\"nothing\\".*nightmark reindex/s],
    ['/api/experiments/%3Cscript%3E', /No experiment \\"<script>/],
    ['/api/experiments/..%2F..', /No experiment/],
    ['/api/runs/nothing', /No run \\"nothing\\"/],
    [`/api/runs/${nightId(0)}/logs/experiment/broken/nothing`, /No log of a stage/],
    [`/api/runs/${nightId(0)}/logs/other/broken/run`, /No log of a stage/],
    [`/api/runs/${nightId(0)}/logs/experiment/..%2F..%2F..%2F..%2Fetc/passwd`, /No log of a stage/],
    [`/api/runs/${nightId(0)}/logs/experiment/broken%00/run`, /No log of a stage/],
    ['/nothing', /There is nothing here.*<a href="\/">To the first page/s],
    ['/api/nothing', /There is nothing here/],
    [`/api/experiments/${'y'.repeat(2000)}`, /nothing here|No experiment|cannot be answered/],
  ] as const) {
    const { statusCode, body, headers } = await get(url);
    assert.ok(statusCode === 404 || statusCode === 400, `${url.slice(0, 99)}: ${statusCode}`);
    assert.match(body, words);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers.etag, undefined);
  }
});

test('files come from their folder only', async () => {
  const picture = await get('/files/graph/sort/all%20time/picture%20one.svg');
  assert.equal(picture.statusCode, 200);
  assert.equal(picture.headers['content-type'], 'image/svg+xml');
  assert.match(String(picture.headers['content-security-policy']), /default-src 'none'.*sandbox$/);
  const data = await get('/files/data/sort/data_01-31-2026-0200.json');
  assert.deepEqual(data.json(), { cpu: { A: 0.015 } });
  const page = await get('/files/graph/sort/page.html');
  assert.equal(page.headers['content-type'], 'application/octet-stream');
  assert.equal(page.headers['content-disposition'], 'attachment');
  for (const path of [
    'graph/sort/passwd.png',
    'graph/sort/etc/passwd',
    'graph/sort/..%2F..%2F..%2F..%2Fnightmark.yml',
    'graph/sort/../../../../nightmark.yml',
    'graph/..%2Fdata/sort/data_01-31-2026-0200.json',
    'graph/sort//etc/passwd',
    'graph/sort/all%20time',
    'graph/sort/nul%00.png',
    'graph/sort/passwd.png%00.svg',
    'graph/sort/%2e%2e/%2e%2e/%2e%2e/nightmark.yml',
    'graph/sort/%252e%252e/nightmark.yml',
    'graph/sort/..%5c..%5cnightmark.yml',
    'graph/sort/',
    'data/nothing/x.json',
  ]) {
    const { statusCode, body } = await get(`/files/${path}`);
    assert.equal(statusCode, 404, path);
    assert.ok(!body.includes('root:'));
  }
});

test('every page has its facts as JSON', async () => {
  const overview = (await get('/api/experiments')).json();
  assert.equal(overview.project, 'sample');
  assert.deepEqual(overview.last.experiments, {
    total: 5,
    succeeded: 4,
    failed: 1,
    skipped: 0,
    unfinished: 0,
    inactive: 1,
  });
  const sort = (await get('/api/experiments/sort')).json() as ExperimentView;
  assert.equal(sort.recent[0]?.at, LAST_NIGHT);
  assert.equal((await get(`/api/runs/${nightId(0)}`)).json().tasks.length, 7);
  const runs = (await get('/api/runs?limit=2')).json();
  assert.deepEqual(
    runs.runs.map(({ run }: { run: { id: string } }) => run.id),
    [nightId(0), nightId(1)],
  );
  const older = (await get(`/api/runs?limit=2&before=${runs.nextBefore}`)).json();
  assert.equal(older.runs[0].run.id, nightId(2));
  assert.equal((await get('/api/status')).json().newest.run.id, nightId(0));
  const unknown = await get('/api/runs/nothing');
  assert.equal(unknown.statusCode, 404);
  assert.equal(unknown.json().error, 'No run "nothing"');
  const { ok, status } = (await get('/health')).json() as { ok: boolean; status: string };
  assert.deepEqual([ok, status], [true, 'pass']);
});

test('pages may run nothing but what is ours', async () => {
  const { headers } = await get('/');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.ok(!policy.includes('unsafe'));
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  const css = await get('/style.css');
  assert.equal(css.headers['content-type'], 'text/css; charset=utf-8');
  const again = await get('/style.css', app, { 'if-none-match': css.headers.etag });
  assert.equal(again.statusCode, 304);
});

test('on loopback only names of this machine are answered', async () => {
  for (const host of [
    'evil.example',
    'evil.example:4177',
    '127.0.0.1.evil.example',
    'localhost:1:2',
    '[::2]',
  ]) {
    assert.equal((await get('/', app, { host })).statusCode, 421, host);
  }
  for (const host of ['localhost', '127.0.0.1:80', '[::1]:4177', 'LOCALHOST:4177']) {
    assert.equal((await get('/', app, { host })).statusCode, 200, host);
  }
});

test('with a token nothing is read without it', async () => {
  const token = 'a-token-of-some-length';
  const guarded = createServer({ home, isLoopback: false, token }, effects);
  for (const url of [
    '/',
    '/experiments/sort',
    '/api/status',
    '/files/data/sort/data_01-31-2026-0200.json',
    '/nothing',
  ]) {
    const { statusCode, body } = await get(url, guarded);
    assert.equal(statusCode, 401, url);
    assert.ok(!body.includes('sort'));
  }
  assert.equal((await get('/health', guarded)).statusCode, 200);
  const wrong = await get('/', guarded, { authorization: 'Bearer wrong' });
  assert.equal(wrong.statusCode, 401);
  assert.equal((await get('/', guarded, { authorization: `Bearer ${token}` })).statusCode, 200);

  const form = {
    method: 'POST',
    url: '/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  } as const;
  const refused = await guarded.inject({ ...form, payload: 'token=wrong' });
  assert.equal(refused.statusCode, 401);
  assert.match(refused.body, /That is not the token/);
  const login = await guarded.inject({ ...form, payload: `token=${token}` });
  assert.equal(login.statusCode, 303);
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  assert.ok(!cookie.includes(token));
  assert.equal((await get('/', guarded, { cookie })).statusCode, 200);
  assert.equal((await get('/', guarded, { cookie: 'nightmark=x' })).statusCode, 401);
  const huge = await guarded.inject({ ...form, payload: `token=${'x'.repeat(10_000)}` });
  assert.equal(huge.statusCode, 413);
});

test('an error of ours reports clients its code, and the terminal the rest', async () => {
  const broken = { current: () => Promise.reject(new Error('secret /path')) };
  const failing = createServer({ home, isLoopback: true }, { ...effects, index: broken });
  const { statusCode, body } = await get('/api/experiments', failing);
  assert.equal(statusCode, 500);
  assert.ok(!body.includes('secret'));
  assert.match(reports.at(-1) ?? '', /GET "\/api\/experiments": Error: secret \/path/);
});

test('an empty home is distinguished from one that has a definition', async () => {
  const empty = mkdtempSync(join(tmpdir(), "nightmark empty's-"));
  const nothing = { current: async () => undefined };
  const server = createServer({ home: empty, isLoopback: true }, { ...effects, index: nothing });
  const overview = async () => (await get('/api/experiments', server)).json() as Overview;
  assert.deepEqual([(await overview()).isDefined, (await overview()).runCount], [false, 0]);
  await localDisk.writeText(join(empty, 'config.json'), '{}');
  assert.equal((await overview()).isDefined, true);
  rmSync(empty, { recursive: true });
});

test('while a night runs it is reported beside the last whole one', async () => {
  const store = await index.current();
  assert.ok(store);
  const runs = await store.latestRuns({ limit: 60 });
  const running = {
    ...store,
    latestRuns: async ({ kind }: { kind?: Run['kind'] }) =>
      kind === 'import' ? [] : runs.map((run, ago) => (ago === 0 ? asRunning(run) : run)),
  };
  const live = createServer(
    { home, isLoopback: true },
    { ...effects, index: { current: async () => running } },
  );
  const overview = (await get('/api/experiments', live)).json() as Overview;
  assert.equal(overview.last?.run.id, nightId(1));
  assert.equal(overview.last?.experiments.succeeded, 4);
  assert.equal(overview.running?.run.id, nightId(0));
  assert.equal(overview.running?.experiments.failed, 1);
});

function asRunning({ endedAt: _, ...run }: Run): Run {
  return { ...run, state: 'running' };
}

test('only reading is answered', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    const { statusCode } = await app.inject({ method, url: '/', headers: { host: 'localhost' } });
    assert.equal(statusCode, 404);
  }
});

test('an index whose tables are not made yet is that of a home without nights', async () => {
  const fresh = mkdtempSync(join(tmpdir(), 'nightmark fresh-'));
  const file = homeLayout(fresh).index;
  mkdirSync(dirname(file));
  writeFileSync(file, '');
  const own = watchIndex(fresh);
  const server = createServer({ home: fresh, isLoopback: true }, { ...effects, index: own });
  const { statusCode, body } = await get('/api/experiments', server);
  assert.deepEqual([statusCode, (JSON.parse(body) as Overview).last], [200, undefined]);
  (await openSqliteStore(file)).close();
  assert.ok(await own.current());
  await server.close();
  own.close();
  rmSync(fresh, { recursive: true });
});
