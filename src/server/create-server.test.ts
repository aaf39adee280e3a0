import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { HOSTILE, LAST_NIGHT, LONG, makeSampleHome, nightId } from '../../test/sample-home.ts';
import localDisk from '../adapters/disks/local/index.ts';
import openSqliteStore from '../adapters/stores/sqlite/index.ts';
import { triageChanges } from '../app/changes/triage-changes.ts';
import { watchIndex } from '../cli/home/index-source.ts';
import { homeLayout } from '../core/model/layout.ts';
import type { Run } from '../core/model/run.ts';
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
const textOf = (body: string) => body.replaceAll('\u202f', ' ');

before(() => makeSampleHome(home, 40));
after(async () => {
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

test('the first page begins with the answer', async () => {
  const { statusCode, body, headers } = await get('/');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(
    textOf(body),
    /<h1>Last night: 4 of 5 experiments succeeded, 1 failed, 1 inactive, 1 h 12 min<\/h1>/,
  );
  assert.match(textOf(body), /title="2026-01-31 03:12:00 UTC">3 h ago</);
});

test('changes are listed with their interval, and what people said is escaped', async () => {
  const [first = { id: '' }] = JSON.parse((await get('/api/changes')).body).changes as { id: string }[];
  const store = await openSqliteStore(homeLayout(home).index);
  const said = { home, ids: [first.id], state: 'confirmed', note: HOSTILE, author: '<i>me</i>' } as const;
  await triageChanges(said, { disk: localDisk, store, clock: effects.clock });
  const [change] = await store.changes({ limit: 1 });
  assert.ok(change);
  await store.saveChanges([{ ...change, explanation: `kernel 6.1 -> <script>alert("2")</script>` }]);
  store.close();
  const { statusCode, body } = await get('/changes');
  assert.equal(statusCode, 200);
  assert.match(body, /<h1>2 open regressions<\/h1>/);
  assert.match(body, /cpu \/ B<\/span><\/th><td class="interval">\+1\d\.\d to \+2\d\.\d.%/);
  assert.match(body, /new, provisional/);
  assert.match(
    body,
    /confirmed, provisional<br><span class="quiet">&#60;i&#62;me&#60;\/i&#62;: &#60;script&#62;/,
  );
  assert.doesNotMatch(body, /<script>alert|<i>me/);
  const why = /<br><span class="quiet why">kernel 6\.1 -&#62; &#60;script&#62;alert/;
  assert.match(body, why);
  assert.match((await get('/')).body, why);
  const open = JSON.parse((await get('/changes.json?open=1')).body);
  assert.deepEqual([open.changes.length, open.openRegressions], [2, 2]);
});

test('failures, missing experiments and open changes need attention', async () => {
  const body = textOf((await get('/')).body);
  const attention = body.slice(body.indexOf('Needs attention'), body.indexOf('All experiments'));
  assert.match(attention, /failed<\/span> <a href="\/experiments\/broken">broken<\/a>: run stage/);
  assert.match(attention, new RegExp(`/runs/${nightId(0)}/logs/experiment/broken/run">log`));
  assert.match(attention, /not run<\/span> <a href="\/experiments\/gone">gone/);
  assert.match(attention, /▲ \+2\d\.\d % worse<\/span> <a href="\/experiments\/sort">sort/);
});

test('numbers have three digits and a unit, and their exact value beside them', async () => {
  const body = textOf((await get('/')).body);
  assert.match(body, /<data value="0\.01\d+" title="0\.01\d+ s">1\d\.\d ms<\/data>/);
  assert.match(body, /<svg class="spark"/);
  assert.match(body, /<data value="-5\.\d+" title="-5\.\d+">−5\.\d\d<\/data>/);
});

test('names of experiments are text, whatever is in them', async () => {
  const { body } = await get('/');
  assert.ok(!body.includes('<script>alert'));
  assert.ok(body.includes('&#60;script&#62;alert(&#34;1&#34;)&#60;b&#62; &#38; &#39;quote&#39;'));
  assert.ok(!body.includes('\u202e') && !body.includes('\u0007') && body.includes('\u2407'));
  const page = await get(`/experiments/${encodeURIComponent(HOSTILE)}`);
  assert.equal(page.statusCode, 200);
  assert.ok(!page.body.includes('<script>alert'));
  assert.equal((await get(`/experiments/${LONG}`)).statusCode, 200);
});

test('an experiment has its values, stages, summary, pictures and runs', async () => {
  const body = textOf((await get('/experiments/sort')).body);
  assert.match(body, /<h2>Sort &#60;1&#62;<\/h2><p class="summary">_12\.5 ms_\nsecond line<\/p>/);
  assert.match(body, /lower is better, 40 runs, axis does not begin at zero/);
  assert.match(body, /1 value below "detailed"/);
  assert.match(body, /<img src="\/files\/graph\/sort\/all%20time\/picture%20one\.svg"/);
  assert.ok(!body.includes('passwd'));
  assert.match(body, /repo <code>6de6d63-dirty<\/code>/);
  assert.match(body, /href="\/files\/data\/sort\/data_01-31-2026-0200\.json"/);
  assert.match((await get('/experiments/json')).body, /summary\.json cannot be shown: it is no JSON object/);
});

test('a run has its tasks, warnings, and what is needed to repeat it', async () => {
  const body = textOf((await get(`/runs/${nightId(0)}`)).body);
  assert.match(body, /<h1>Night 01-31-2026-0200: 4 of 5 experiments succeeded/);
  assert.match(body, /sensors is missing: &#60;i&#62;no temperatures/);
  assert.match(body, /<th scope="row">seed<\/th><td><code>42<\/code>/);
  assert.match(body, /bench-1 <code>f00d<\/code>/);
  assert.match(body, /Test CPU &#60;b&#62;/);
  assert.match(body, /2 attempts/);
  assert.match((await get(`/runs/${nightId(3)}`)).body, /interrupted<\/span>.*nightmark run --resume/s);
});

test('a log is shown without colours and with its markup as text', async () => {
  const { body } = await get(`/runs/${nightId(0)}/logs/experiment/broken/run`);
  assert.match(body, /<pre class="log">starting\nred &#60;b&#62;boom&#60;\/b&#62;\nexit 1\n<\/pre>/);
  assert.match(body, /failed<\/span>, exit 1, took/);
});

test('a large log shows its ends and is whole as a file', async () => {
  const address = `/runs/${nightId(0)}/logs/experiment/sort/run`;
  const { body } = await get(address);
  assert.ok(body.length < 400_000, `${body.length}`);
  assert.match(textOf(body), /1\.14 MiB, of which 916 KiB in the middle are not shown/);
  assert.match(body, /first line/);
  assert.match(body, /last line/);
  const whole = await get(`${address}?whole=1`);
  assert.equal(whole.body.length, 1_200_021);
  assert.equal(whole.headers['content-type'], 'text/plain; charset=utf-8');
});

test('a log that was removed says so', async () => {
  const { statusCode, body } = await get(`/runs/${nightId(2)}/logs/experiment/json/run`);
  assert.equal(statusCode, 200);
  assert.match(body, /There is no log file any more/);
});

test('unknown things are 404 with what to do', async () => {
  for (const [url, words] of [
    ['/experiments/nothing', /No experiment &#34;nothing&#34;.*nightmark reindex/s],
    ['/experiments/%3Cscript%3E', /No experiment &#34;&#60;script&#62;/],
    ['/experiments/..%2F..', /No experiment/],
    ['/runs/nothing', /No run &#34;nothing&#34;/],
    [`/runs/${nightId(0)}/logs/experiment/broken/nothing`, /No log of a stage/],
    [`/runs/${nightId(0)}/logs/other/broken/run`, /No log of a stage/],
    [`/runs/${nightId(0)}/logs/experiment/..%2F..%2F..%2F..%2Fetc/passwd`, /No log of a stage/],
    ['/nothing', /There is nothing here/],
    [`/experiments/${'y'.repeat(2000)}`, /nothing here|No experiment|cannot be answered/],
  ] as const) {
    const { statusCode, body } = await get(url);
    assert.ok(statusCode === 404 || statusCode === 400, `${url.slice(0, 99)}: ${statusCode}`);
    assert.match(body, words);
    assert.match(body, /<a href="\/">To the first page/);
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
  const sort = (await get('/api/experiments/sort')).json();
  assert.equal(sort.series[0].values.length, 40);
  assert.equal(sort.series[0].times.at(-1), LAST_NIGHT);
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

test('an error of ours tells clients its code, and the terminal the rest', async () => {
  const broken = { current: () => Promise.reject(new Error('secret /path')) };
  const failing = createServer({ home, isLoopback: true }, { ...effects, index: broken });
  const { statusCode, body } = await get('/', failing);
  assert.equal(statusCode, 500);
  assert.ok(!body.includes('secret'));
  assert.match(reports.at(-1) ?? '', /GET "\/": Error: secret \/path/);
});

test('an empty home says which command brings the first night', async () => {
  const empty = mkdtempSync(join(tmpdir(), "nightmark empty's-"));
  const nothing = { current: async () => undefined };
  const page = () =>
    get('/', createServer({ home: empty, isLoopback: true }, { ...effects, index: nothing }));
  assert.match((await page()).body, /nightmark init &#39;.*nightmark empty&#39;\\&#39;&#39;s-/);
  await localDisk.writeText(join(empty, 'config.json'), '{}');
  const { statusCode, body } = await page();
  assert.equal(statusCode, 200);
  assert.ok(!body.includes('nightmark init'));
  assert.match(body, /nightmark run/);
  rmSync(empty, { recursive: true });
});

test('while a night runs the page shows it beside the last whole one', async () => {
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
  const body = textOf((await get('/', live)).body);
  assert.match(body, /<h1>Last night: 4 of 5 experiments/);
  assert.match(body, new RegExp(`${nightId(1)}">01-30-2026-0200-2</a>`));
  assert.match(body, /A night is running: <a href="[^"]*">6 of 6 tasks done<\/a>, 1 failed, begun/);
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
