// A worker for tests: claims, begins and ends jobs of a queue until there are none, and prints "<moment> <id>" for each.
// Usage: node queue-claimer.js <adapter> <place> [hold]. With "hold" it claims one job, prints it and waits to be killed.

import type { JobQueue } from '../../src/jobs/core/job-queue.ts';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';

const [, , adapter = adapterIds('queues')[0] ?? '', place = '', mode = ''] = process.argv;
type OpenQueue = (options: { readonly place: string }) => Promise<JobQueue>;
const queue = await (await loadAdapter<OpenQueue>('queues', adapter))({ place });
const worker = { host: 'here', pid: process.pid, incarnation: 'child' };

for (;;) {
  const claim = await queue.claim({ worker, executors: ['process'] });
  if (claim === undefined) break;
  process.stdout.write(`${claim.jobId}\n`);
  if (mode === 'hold') await new Promise((resolve) => setTimeout(resolve, 60_000));
  await queue.begin(claim, { host: 'here', outputDir: '' });
  if (!(await queue.end(claim, { status: 'FINISHED' }))) throw new Error(`${claim.jobId} was not ours`);
}
await queue.close();
