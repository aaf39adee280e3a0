import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimKey, JobQueue } from '../../src/jobs/core/job-queue.ts';
import type { Worker } from '../../src/platform/core/lock.ts';
import { jobId, jobSpec } from './job-specs.ts';

export const WORKER: Worker = { host: 'elsewhere', pid: 11, incarnation: 'a' };
/** Relative to the results. */
export const OUTPUT_DIR = 'vision/baseline/job-1_000001';

/**
 * Three jobs: 1 has run, failed and left everything a job can leave; 2 runs and has told its progress; 3 waits, with a
 * configuration that holds objects.
 * @returns the claim of 2: a server takes a job back whose worker gives no sign for a minute.
 */
export async function makeJobHistory(queue: JobQueue, results: string): Promise<ClaimKey> {
  const first = jobSpec(1, {
    program: { type: 'script', path: 'train.py' },
    code: { type: 'path', path: '/code' },
  });
  await queue.submit([
    first,
    jobSpec(2),
    jobSpec(3, { overrides: { lr: 0.3, model: { depth: 18 }, tags: ['a', 'b'] } }),
  ]);
  const claim = await queue.claim({ worker: WORKER, executors: ['process'], ids: [jobId(1)] });
  if (!claim) throw new Error('nothing to claim');
  await queue.begin(claim, { host: 'node1', outputDir: OUTPUT_DIR });
  await queue.appendLogs(claim, [
    { worker: 0, type: 'info', message: 'epoch 1', time: 1_700_000_000_100 },
    { worker: 0, type: 'error', message: 'warning: slow', time: 1_700_000_000_200 },
    { worker: 1, type: 'info', message: 'of another', time: 1_700_000_000_300 },
  ]);
  await queue.report(claim, {
    info: { 'state.progress': 0.75 },
    images: { plot: 'plots/loss.png' },
    timings: [{ event: 'forward', rank: 0, mean: 1.5, std: 0.25, instances: 8 }],
    metrics: [
      {
        id: 'aa',
        measurement: 'loss',
        tags: { split: 'train', fold: 2 },
        fields: { value: { count: 3, last: 0.5, min: 0.25, max: 1 }, epoch: { count: 3, last: 3 } },
      },
    ],
  });
  await queue.end(claim, {
    status: 'FAILED',
    exception: "ValueError('x')",
    traceback: 'Traceback: <b>here</b>',
  });
  const second = await queue.claim({ worker: WORKER, executors: ['process'], ids: [jobId(2)] });
  if (!second) throw new Error('nothing to claim');
  await queue.begin(second, { host: 'node2', outputDir: 'vision/baseline/job-2_000002' });
  makeOutput(results);
  return second;
}

function makeOutput(results: string): void {
  const folder = join(results, OUTPUT_DIR);
  mkdirSync(join(folder, 'plots'), { recursive: true });
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code/train.py'), 'pass\n');
  writeFileSync(join(folder, 'output.txt'), 'from the file\n');
  writeFileSync(join(folder, 'result.json'), '{"accuracy": 0.5, "by": ["a"]}');
  writeFileSync(join(folder, 'page.html'), '<script>alert(1)</script>');
  writeFileSync(join(folder, 'plots/loss.png'), 'png');
  writeFileSync(join(results, 'secret.txt'), 'not of the job');
  symlinkSync('../../../secret.txt', join(folder, 'leads-out.txt'));
  symlinkSync('/etc', join(folder, 'etc'));
  const other = join(results, 'vision/baseline/job-2_000002');
  mkdirSync(other);
  writeFileSync(join(other, 'output.txt'), 'only in the file\n');
}
