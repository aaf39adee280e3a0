import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobQueue } from '../../src/jobs/core/job-queue.ts';
import { WORKER } from './job-history.ts';
import { jobId, jobSpec } from './job-specs.ts';

/** Numbers of the jobs of the sweep: 101 to 108, two rates, four seeds. */
export const SWEEP = Array.from({ length: 8 }, (_, at) => 101 + at);

/** What job `n` of the sweep was told. */
export function sweepConfig(n: number) {
  const at = n - 101;
  return {
    lr: at < 4 ? 0.1 : 0.01,
    seed: at % 4,
    nesterov: at < 4,
    model: { depth: 18 },
    ...(at === 0 && { warmup: 5 }),
  };
}

/** Loss at an epoch: exactly halved every ten epochs, a little apart for each seed. */
export function sweepLoss(n: number, epoch: number): number {
  const { lr, seed } = sweepConfig(n);
  return 2 ** (-epoch / (lr === 0.1 ? 10 : 20)) + seed / 100;
}

/** Finished jobs of a sweep, with names that would harm where they were taken for markup. */
export async function makeJobSweep(queue: JobQueue, results: string): Promise<void> {
  await queue.submit(
    SWEEP.map((n) =>
      jobSpec(n, { experiment: 'sweep <b>of</b> rates', name: `rate-${n}`, overrides: sweepConfig(n) }),
    ),
  );
  for (const n of SWEEP) {
    const claim = await queue.claim({ worker: WORKER, executors: ['process'], ids: [jobId(n)] });
    if (!claim) throw new Error('nothing to claim');
    const outputDir = `vision/sweep/rate-${n}`;
    await queue.begin(claim, { host: 'node1', outputDir });
    await queue.appendLogs(claim, [
      { worker: 0, type: 'info', message: `rate ${n} begins`, time: 1_700_000_000_100 },
      { worker: 1, type: 'error', message: '<img src=x onerror=alert(1)>', time: 1_700_000_000_200 },
    ]);
    await queue.report(claim, { images: { curve: 'curve.svg' } });
    await queue.end(claim, { status: 'FINISHED', exit: { type: 'code', code: 0 } });
    mkdirSync(join(results, outputDir), { recursive: true });
    writeFileSync(join(results, outputDir, 'curve.svg'), PICTURE);
  }
  await queue.annotate(jobId(101), 'star', true);
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="#0072b2"/></svg>';

/** Lines of all jobs of the sweep: two splits, epochs from 1 on; every epoch twice, half above and half below. */
export function sweepLines(epochs = 40): readonly string[] {
  return SWEEP.flatMap((n) =>
    ['train', 'test'].flatMap((split) =>
      Array.from({ length: 2 * epochs }, (_, at) => {
        const epoch = 1 + (at >> 1);
        const value =
          n === 101 && epoch === 7
            ? 'nan'
            : sweepLoss(n, epoch) * (split === 'test' ? 2 : 1) + (at % 2 ? 0.01 : -0.01);
        const time = 1_700_000_000_000 + at * 500 + (n - 101) * 60_000;
        return `loss,job_id=${jobId(n)},split=${split},user=ada epoch=${epoch},value=${value} ${time}000000`;
      }),
    ),
  );
}
