import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EventReader } from '../jobs/core/event-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-kit-job-'));
after(() => rmSync(folder, { recursive: true }));

const events = join(folder, 'events.0.ndjson');
const env = { ...process.env, NIGHTMARK_OUTPUT_DIR: folder, NIGHTMARK_JOB_EVENTS: events };
const module = JSON.stringify(join(process.cwd(), 'dist/src/kit/job.js'));

const PROGRAM = `
import { logConfig, logImage, logInfo, logMetric, logRuntime, progress } from ${module};
logConfig({ lr: 0.1, big: 3n });
logInfo({ note: 'ü' });
progress(1.5);
progress(NaN);
logMetric('loss', 0.5, { split: 'train' });
logMetric('loss', { epoch: 1, value: Infinity }, { split: 'train' });
logRuntime('forward', { mean: 0.1 });
await logImage('a/b', Uint8Array.of(0x89, 0x50));
await logImage('gone', '/no/such/file.png');
const ring = {};
ring.self = ring;
logInfo(ring);
console.log('alive');`;

test('a program reports its job what it does, and the reader understands all of it', () => {
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { env, encoding: 'utf8' });
  assert.deepEqual([ran.status, ran.stdout], [0, 'alive\n']);
  assert.match(ran.stderr, /nightmark: ENOENT.*\nnightmark: Converting circular structure/);
  const job = { id: 'a'.repeat(24), user: 'u', project: 'p', experiment: 'e', name: 'n', workers: 1 };
  const reader = new EventReader({ job, rank: 0, host: 'h', md5: () => 'id', now: () => 0 });
  const { news, points } = reader.read(readFileSync(events, 'utf8'), true);
  assert.deepEqual(news, {
    config: { lr: 0.1, big: 3 },
    info: { note: 'ü', 'state.progress': 1 },
    images: { 'a/b': 'images/a_b.png' },
    timings: [{ event: 'forward', rank: 0, mean: 0.1, std: 0, instances: 1 }],
    metrics: [
      {
        id: 'id',
        measurement: 'loss',
        tags: { split: 'train' },
        fields: {
          value: { count: 2, last: 'inf', min: 0.5, max: 0.5 },
          epoch: { count: 1, last: 1, min: 1, max: 1 },
        },
      },
    ],
  });
  assert.deepEqual([points.length, reader.refused], [3, 0]);
  assert.ok(existsSync(join(folder, 'images/a_b.png')));
});

test('outside a job nothing happens', () => {
  const { NIGHTMARK_JOB_EVENTS: _, ...outside } = env;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: outside,
    encoding: 'utf8',
  });
  assert.equal(out, 'alive\n');
});
