import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { HOSTILE, LAST_NIGHT, makeSampleHome, nightId } from '../../../test/sample-home.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { Machine, Run, Trial } from '../../home/core/run.ts';
import { fileLocks as sqliteLocks } from '../../platform/adapters/file-locks.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import type { LockOutcome } from '../../platform/core/lock.ts';
import { createServer } from '../../server/create-server.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark runs-'));
const index = watchIndex(home);
const effects = { disk: localDisk, clock: { now: () => LAST_NIGHT }, index, report: () => {} };
const app = createServer({ home, isLoopback: true }, effects);
const get = (url: string) => app.inject({ url, headers: { host: 'localhost:4177' } });
let lock: LockOutcome | undefined;
const RUNNING = '20260201-020000-live';
const logOf = (task: string, stage: string) => runFiles(home, RUNNING).log('experiment', task, stage);

before(async () => {
  await makeSampleHome(home, 5);
  const store = await openSqliteStore(homeLayout(home).index);
  await saveRunning(store);
  store.close();
  // Without a holder of the lock the night would count as interrupted.
  lock = await sqliteLocks.acquire(homeLayout(home).lock, {});
});
after(async () => {
  if (lock?.state === 'acquired') lock.release();
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

/** A night that is under way: sort has run, json is at work, slow waits. */
async function saveRunning(store: Awaited<ReturnType<typeof openSqliteStore>>): Promise<void> {
  const startedAt = LAST_NIGHT + 86_400_000;
  const machine: Machine = { id: 'beef', name: 'bench-2', facts: { cpu: 'Test CPU <b>', cores: 16 } };
  const run: Run = {
    ...{ id: RUNNING, kind: 'night', project: 'sample', label: '02-01-2026-0200', state: 'running' },
    ...{ startedAt, seed: 7, machineId: 'beef', order: ['sort', 'json', 'slow'], origin: 'measured' },
    warnings: [],
  };
  const trial = (task: string, state: Trial['state'], commit: string): Trial => ({
    ...{ runId: RUNNING, task, kind: 'experiment', state, message: '', commits: { repo: commit } },
  });
  await store.saveMachine(machine);
  await store.saveRun(run);
  await store.saveTrials([
    trial('sort', 'succeeded', 'aaaaaaa'),
    trial('json', 'running', 'aaaaaaa'),
    trial('slow', 'waiting', 'bbbbbbb'),
  ]);
  await store.saveStages(RUNNING, [
    {
      ...{ task: 'sort', kind: 'experiment', stage: 'run', success: true, message: '', extra: {} },
      ...{ startedAt: startedAt + 1000, durationMs: 5000, attempts: 1 },
    },
  ]);
  const point = { task: 'json', folder: 'a=1', exitCode: 0, durationMs: 5, attempts: 1 };
  const events = [
    { type: 'begin', run, machine, options: { only: ['sort', 'json', 'slow'], build: false } },
    { type: 'resume', at: startedAt + 500 },
    { type: 'point', result: point },
    { type: 'point', result: { ...point, folder: 'a=2', exitCode: 3 } },
    { type: 'point', result: 'nothing of ours' },
    null,
  ];
  writeFile(runFiles(home, RUNNING).journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeFile(logOf('json', 'run'), 'first\n');
  writeFile(runFiles(home, RUNNING).samples('sort'), '{"samples": []}');
}

test('a run that is under way reports what is at work, what waits, and how to do it again', async () => {
  const view = (await get(`/api/runs/${RUNNING}`)).json();
  const [sort, json, slow] = view.tasks;
  assert.equal(sort.stages.length, 1);
  assert.deepEqual(json.atWork, { stage: 'run', startedAt: LAST_NIGHT + 86_400_000 + 6000 });
  assert.deepEqual([json.points.done, json.points.failedCount], [2, 1]);
  assert.equal(slow.trial.state, 'waiting');
  assert.deepEqual(view.resumedAt, [LAST_NIGHT + 86_400_000 + 500]);
  assert.ok(view.lastSignAt > 0);
  assert.deepEqual(
    [view.home, ...view.commands],
    [
      home,
      {
        start: 'nightmark run',
        rest: '--seed 7 --only sort,json,slow --no-build',
        purpose: 'the same run again',
      },
    ],
  );
});

test('what differs from the night before is reported, and what is the same is counted', async () => {
  const { sinceBefore } = (await get(`/api/runs/${RUNNING}`)).json();
  assert.equal(sinceBefore.run.id, nightId(0));
  assert.deepEqual(sinceBefore.facts, [
    { group: 'machine', name: 'cores', before: 8, after: 16 },
    { group: 'source', name: 'repo', before: '6de6d63-dirty', after: 'aaaaaaa, bbbbbbb' },
  ]);
  assert.deepEqual(sinceBefore.added, ['slow']);
  assert.ok(sinceBefore.removed.includes('broken'));
  assert.equal(sinceBefore.durations['experiment/json'], 61_000);
  const first = (await get(`/api/runs/${nightId(4)}`)).json();
  assert.equal(first.sinceBefore, undefined);
});

test('a finished night has the command for all of it, and for what failed', async () => {
  const { commands } = (await get(`/api/runs/${nightId(0)}`)).json();
  assert.deepEqual(
    commands.map(({ rest }: { rest: string }) => rest),
    ['--seed 42', '--seed 42 --only broken'],
  );
  const interrupted = (await get(`/api/runs/${nightId(3)}`)).json();
  assert.equal(interrupted.commands[0].rest, '--resume');
});

test('runs are filtered by kind, state and words, page by page', async () => {
  const ids = async (query: string) =>
    (await get(`/api/runs?${query}`)).json().runs.map(({ run }: { run: Run }) => run.id);
  assert.deepEqual(await ids('state=running'), [RUNNING]);
  assert.deepEqual(await ids('state=interrupted'), [nightId(3)]);
  assert.equal((await ids('state=failed')).length, 5);
  assert.deepEqual(await ids('kind=duet'), []);
  assert.deepEqual(await ids('text=BBBB%20bench-2'), [RUNNING]);
  const page = (await get('/api/runs?state=failed&limit=2')).json();
  assert.deepEqual(page.runs[0].failed, ['broken']);
  assert.equal(page.runs[0].machine, 'bench-1');
  const rest = await ids(`state=failed&limit=3&before=${page.nextBefore}`);
  assert.equal(page.runs.length + rest.length, 5);
});

test('runs of one moment are on one page', async () => {
  const store = await openSqliteStore(homeLayout(home).index);
  const run = await store.run(nightId(4));
  assert.ok(run);
  for (let count = 0; count < 40; count++)
    await store.saveRun({ ...run, kind: 'import', id: `same-${count}`, startedAt: 1000 });
  store.close();
  const list = (await get('/api/runs?kind=import&limit=10')).json();
  assert.equal(list.runs.length, 40);
  assert.equal(list.nextBefore, undefined);
});

test('tables have a line for each run and each stage, and no formula', async () => {
  const runs = await get('/api/runs.csv?kind=night');
  assert.equal(runs.headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(runs.body.split('\n').length, 8);
  assert.match(
    runs.body,
    /,finished,2026-01-31T02:00:00.000Z,2026-01-31T03:12:00.000Z,bench-1,repo=6de6d63-dirty,5,4,1,0,1,0\n/,
  );
  const stages = (await get(`/api/runs/${nightId(0)}/stages.csv`)).body;
  assert.match(stages, /^experiment,sort,Sorting 10 000 numbers,run,true,2026-01-31T02:00:00.000Z,30.5,1,$/m);
  assert.match(stages, /^experiment,idle,,,inactive,,,,$/m);
  assert.equal((await get('/api/runs/nothing/stages.csv')).statusCode, 404);
});

test('the files of a run are listed with their sizes', async () => {
  const { files, rawArchive } = (await get(`/api/runs/${nightId(0)}/files`)).json();
  const found = (type: string) => files.filter((file: { type: string }) => file.type === type);
  assert.deepEqual(found('data'), [
    { kind: 'experiment', task: 'sort', type: 'data', name: 'data_01-31-2026-0200.json', size: 21 },
  ]);
  assert.deepEqual(
    found('log').map(({ task, name, size }: { task: string; name: string; size: number }) => [
      task,
      name,
      size,
    ]),
    [
      ['broken', 'run', 42],
      ['sort', 'run', 1_200_021],
    ],
  );
  // The pictures were drawn later than that night.
  assert.deepEqual(found('graph'), []);
  assert.equal(rawArchive, 'benchmarks_01-31-2026-0200_data.tar.gz');
  assert.equal((await get(`/api/runs/${RUNNING}/samples/sort`)).body, '{"samples": []}');
  for (const path of [`${RUNNING}/samples/..%2Fjournal`, 'nothing/files', `${RUNNING}/samples/json`])
    assert.equal((await get(`/api/runs/${path}`)).statusCode, 404, path);
});

test('a log that grows is distinguished from a byte on, character by character', async () => {
  const address = `/api/runs/${RUNNING}/logs/experiment/json/run`;
  const euro = Buffer.from('€');
  appendFileSync(logOf('json', 'run'), Buffer.concat([Buffer.from('second '), euro.subarray(0, 2)]));
  const view = (await get(address)).json();
  assert.deepEqual([view.isRunning, view.ends.head, view.next], [true, 'first\nsecond ', 13]);
  const waiting = (await get(`${address}?after=13`)).json();
  assert.deepEqual(waiting, { from: 13, next: 13, size: 15, isRunning: true, text: '' });
  appendFileSync(logOf('json', 'run'), Buffer.concat([euro.subarray(2), Buffer.from([0xff, 0x0a])]));
  const more = (await get(`${address}?after=13`)).json();
  assert.deepEqual(more, { from: 13, next: 18, size: 18, isRunning: true, text: '€\ufffd\n' });
  assert.equal((await get(`${address}?after=14`)).json().text, '\ufffd\n');
  assert.equal((await get(`${address}?after=99`)).json().text, '');
});

test('a large log is reported in pieces', async () => {
  const address = `/api/runs/${nightId(0)}/logs/experiment/sort/run`;
  const view = (await get(address)).json();
  assert.equal(view.isRunning, false);
  const piece = (await get(`${address}?after=${64 * 1024}`)).json();
  assert.equal(piece.next - piece.from, 256 * 1024);
  assert.equal(piece.size, 1_200_021);
});

test('a log that leads elsewhere is not told, from no byte on', async () => {
  symlinkSync('/etc/passwd', logOf('json', 'analyze'));
  for (const query of ['', '?after=0', '?whole=1']) {
    const { statusCode, body } = await get(`/api/runs/${RUNNING}/logs/experiment/json/analyze${query}`);
    assert.ok(statusCode >= 400, query);
    assert.ok(!body.includes('root:'), query);
  }
  const hostile = `/api/runs/${nightId(0)}/logs/experiment/${encodeURIComponent(HOSTILE)}/run?after=0`;
  assert.equal((await get(hostile)).statusCode, 404);
});

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
