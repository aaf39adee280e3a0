import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import type { JobSeriesDocument } from '../../src/jobs/core/job-documents.ts';
import type { JobQueue } from '../../src/jobs/core/job-queue.ts';
import { makeJobHistory, OUTPUT_DIR } from '../support/job-history.ts';
import { jobId, jobSpec } from '../support/job-specs.ts';
import { killServers, servePoints } from '../support/serve-points.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark serve jobs-'));
const layout = homeLayout(home);
let queue: JobQueue;
let served: Awaited<ReturnType<typeof servePoints>>;

before(async () => {
  mkdirSync(layout.own, { recursive: true });
  queue = await openSqliteQueue({ place: layout.jobs, now: Date.now });
  await makeJobHistory(queue, layout.jobResults);
  await loseAJob();
  served = await servePoints(home, { options: ['--udp-port', '0'] });
  await points();
});
after(async () => {
  await queue.close();
  killServers();
  rmSync(home, { recursive: true });
});

/** Job 8 runs in a process that is no more. */
async function loseAJob(): Promise<void> {
  await queue.submit([jobSpec(8)]);
  const worker = { host: hostname(), pid: spawnSync('true').pid, incarnation: 'of another boot' };
  const claim = await queue.claim({ worker, executors: ['process'], ids: [jobId(8)] });
  assert.ok(claim);
  await queue.begin(claim, { host: worker.host, outputDir: 'vision/baseline/job-8_000008' });
}

/** Of job 1: as its worker writes them, from two machines, and a series that came by another way. */
async function points(): Promise<void> {
  for (const database of ['jobs', 'jobmonitor'])
    await fetch(`${served.address}query?q=${encodeURIComponent(`CREATE DATABASE ${database}`)}`, {
      method: 'POST',
    });
  const tags = `experiment=baseline,fold=2,job=job-1,job_id=${jobId(1)},project=vision,split=train,user=ada`;
  const lines = [
    `loss,${tags},host=a epoch=1,value=1 1700000001000000000`,
    `loss,${tags},host=a epoch=2 1700000002000000000`,
    `loss,${tags},host=a value=nan 1700000002000000000`,
    `loss,${tags},host=b epoch=3,value=0.25 1700000003500000000`,
    `loss,job_id=${jobId(2)} value=9 1700000001000000000`,
  ];
  const write = async (database: string, body: string) => {
    const answer = await fetch(`${served.address}write?db=${database}`, {
      method: 'POST',
      body,
    });
    assert.equal(answer.status, 204, await answer.text());
  };
  await write('jobs', lines.join('\n'));
  await write('jobmonitor', `gpu,job_id=${jobId(1)},host=a,card=0 used=5i,name="x" 1700000001000000000`);
}

async function graphql(query: string): Promise<{ data: Record<string, unknown> }> {
  const answer = await fetch(`${served.address}graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as { data: Record<string, unknown> };
}

test('every field of the old Job has its value', async () => {
  const answer = await graphql(`{ job(id: "${jobId(1)}") {
    id user project experiment job status host outputDirectory creationTime logs
    config { key value } annotations { key value } exception environment { script clone { path } } progress
    textFile(filename: "output.txt") jsonFile(filename: "result.json") images { key path }
    timings { event worker mean std instances } } }`);
  assert.deepEqual(answer, {
    data: {
      job: {
        ...{ id: jobId(1), user: 'ada', project: 'vision', experiment: 'baseline', job: 'job-1' },
        ...{ status: 'FAILED', host: 'node1', outputDirectory: OUTPUT_DIR, creationTime: 1_700_000_000_001 },
        ...{ logs: 'epoch 1\nwarning: slow', config: [{ key: 'lr', value: 0.1 }], annotations: [] },
        ...{ exception: "ValueError('x')", environment: { script: 'train.py', clone: { path: '/code' } } },
        ...{ progress: 0.75, textFile: 'from the file\n', jsonFile: { accuracy: 0.5, by: ['a'] } },
        images: [{ key: 'plot', path: 'plots/loss.png' }],
        timings: [{ event: 'forward', worker: 0, mean: 1.5, std: 0.25, instances: 8 }],
      },
    },
  });
  const { data } = await graphql(`{ job(id: "${jobId(1)}") { startTime endTime } }`);
  const { startTime, endTime } = data['job'] as { startTime: number; endTime: number };
  assert.ok(Number.isInteger(startTime) && endTime >= startTime && Date.now() - endTime < 60_000);
});

test('time series come from the points of the job, whichever machine and way they came from', async () => {
  const { data } = await graphql(
    `{ job(id: "${jobId(1)}") { timeseries { measurement tags values currentValue maxValue minValue jobId } } }`,
  );
  const newest = { time: 1_700_000_003_500, epoch: 3, value: 0.25 };
  const largest = { time: 1_700_000_001_000, epoch: 1, value: 1 };
  const used = { time: 1_700_000_001_000, name: 'x', used: 5 };
  assert.deepEqual(data, {
    job: {
      timeseries: [
        {
          ...{ measurement: 'loss', tags: { split: 'train', fold: 2 }, jobId: jobId(1) },
          values: [largest, { time: 1_700_000_002_000, epoch: 2, value: null }, newest],
          ...{ currentValue: newest, maxValue: largest, minValue: newest },
        },
        {
          ...{ measurement: 'gpu', tags: { card: '0' }, jobId: jobId(1), values: [used] },
          ...{ currentValue: used, maxValue: {}, minValue: {} },
        },
      ],
    },
  });
});

test('metrics of jobs come as columns in one answer', async () => {
  const asked = `${served.address}api/jobs/series?id=${jobId(1)}&id=${jobId(2)}`;
  const { jobs, series } = (await (await fetch(asked)).json()) as JobSeriesDocument;
  assert.deepEqual(
    jobs.map(({ name }) => name),
    ['job-2', 'job-1'],
  );
  const start = 1_700_000_001_000;
  assert.deepEqual(series, [
    { job: 0, measurement: 'loss', tags: {}, times: [start], fields: { value: [9] } },
    {
      ...{
        job: 1,
        measurement: 'loss',
        tags: { split: 'train', fold: 2 },
        times: [start, start + 1000, start + 2500],
      },
      fields: { epoch: [1, 2, 3], value: [1, 'nan', 0.25] },
    },
    { job: 1, measurement: 'gpu', tags: { card: '0' }, times: [start], fields: { used: [5] } },
  ]);
  const one = (await (await fetch(`${asked}&measurement=gpu`)).json()) as JobSeriesDocument;
  assert.equal(one.series.length, 1);
});

test('changes of jobs come as events', async () => {
  const controller = new AbortController();
  const answer = await fetch(`${served.address}api/jobs/events`, { signal: controller.signal });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (words: RegExp) => {
    while (!words.test(text)) text += (await reader?.read())?.value ?? assert.fail(`it ended: ${text}`);
  };
  await until(/\n:\n/); // the first look is over
  await queue.submit([jobSpec(7, { name: 'told' })]);
  await until(/event: job\ndata: \{[^\n]*"status":"CREATED"[^\n]*"name":"told"/);
  await queue.cancel([jobId(7)], 'enough');
  await until(/"status":"CANCELED"[^\n]*"name":"told"/);
  await queue.delete([jobId(7)]);
  await until(/"status":"DELETED"/);
  controller.abort();
});

test('a job whose worker died on this machine waits again', async () => {
  for (let tries = 0; (await queue.job(jobId(8)))?.status !== 'CREATED'; tries++) {
    assert.ok(tries < 300, 'it was not taken back');
    await sleep(100);
  }
  assert.equal((await queue.job(jobId(8)))?.attempt, 2);
});

test('a deleted job takes its files and series along', async () => {
  const answer = await fetch(`${served.address}api/jobs/${jobId(1)}`, { method: 'DELETE' });
  const { series } = (await answer.json()) as { series: number };
  assert.deepEqual([answer.status, series], [200, 6]);
  assert.equal(existsSync(join(layout.jobResults, OUTPUT_DIR)), false);
  assert.equal((await fetch(`${served.address}api/jobs/${jobId(1)}`)).status, 404);
  const asked = `${served.address}query?db=jobs&q=${encodeURIComponent('SHOW SERIES')}`;
  const { results } = (await (await fetch(asked)).json()) as {
    results: { series: { values: string[][] }[] }[];
  };
  assert.deepEqual(results[0]?.series[0]?.values, [[`loss,job_id=${jobId(2)}`]]);
  const forced = await fetch(`${served.address}api/jobs/${jobId(2)}?force=1`, { method: 'DELETE' });
  assert.deepEqual([forced.status, await queue.job(jobId(2))], [200, undefined]);
});

test('pages are served without a queue when it cannot be opened', async () => {
  const other = mkdtempSync(join(tmpdir(), 'nightmark no queue-'));
  mkdirSync(homeLayout(other).jobs, { recursive: true });
  const without = await servePoints(other, { options: ['--udp-port', '0'] });
  try {
    assert.match(without.stderr(), /No jobs are shown: .*\[JOBS_QUEUE_FAILED\]/);
    assert.equal((await fetch(`${without.address}jobs`)).status, 200);
    assert.equal((await fetch(`${without.address}api/jobs`)).status, 404);
  } finally {
    await without.stop();
    rmSync(other, { recursive: true });
  }
});
