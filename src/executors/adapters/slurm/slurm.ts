import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramOutput } from '../../../platform/adapters/programs.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Executor } from '../../core/executor.ts';
import { tasksOfRun } from './batch-script.ts';
import { callSlurm, callUntilAnswered, errorText, isUnavailable } from './call-slurm.ts';
import { dispatchWorkers } from './dispatch-workers.ts';
import { liveStates } from './job-states.ts';
import { attachJob, startJob } from './run-job.ts';

/** Sends commands to a cluster with Slurm, as batch jobs of the user who runs us. */
const slurmExecutor: Executor = {
  id: 'slurm',
  title: 'Batch jobs of Slurm',
  capabilities: { together: false, pinning: false, limits: true, remote: true },
  ready,
  start: startJob,
  attach: attachJob,
  dispatch: dispatchWorkers,
  endLeftovers,
};

async function ready(): Promise<void> {
  const answer = await callSlurm('sbatch', ['--version']);
  if (answer.code === 0) return;
  throw new NightmarkError('RUN_NO_SLURM', `Slurm cannot be used from here: ${errorText(answer)}`, {
    hint: 'Run this where "sbatch --version" and "squeue" work (a login node), with SLURM_CONF set if yours needs it.',
  });
}

export default slurmExecutor;

/** How long jobs may take to be gone: the time of grace, and that of Slurm itself (KillWait). */
const END_TIMEOUT_MS = 60_000;

/**
 * Ends the jobs of a run, whichever process started them. Returns how many there were. Without Slurm there are none; one
 * that is unavailable is waited for: a run that is started again while it still runs would run twice.
 */
async function endLeftovers(runId: string): Promise<number> {
  const answer = await callUntilAnswered('squeue', ['--me', '-h', '-r', '-o', '%i|%T|%k']);
  if (answer.code !== 0) return 0;
  const found = await jobsOfRun(answer, runId);
  if (found.length === 0) return 0;
  await endAll(found);
  return found.length;
}

interface Found {
  readonly ref: string;
  readonly isWaiting: boolean;
}

async function jobsOfRun({ stdout }: ProgramOutput, runId: string): Promise<readonly Found[]> {
  const id = encodeURIComponent(runId);
  const found: Found[] = [];
  const tasksByJob = new Map<string, readonly number[]>();
  for (const line of stdout.split('\n')) {
    const [ref = '', state, comment = ''] = line.split('|');
    const [mark, , owner] = comment.split(':');
    if (mark !== 'nightmark' || state === 'COMPLETING') continue;
    if (owner === '*') {
      const [job = '', task] = ref.split('_');
      const tasks = tasksByJob.get(job) ?? (await tasksOf(job, runId));
      tasksByJob.set(job, tasks);
      if (!tasks.includes(Number(task))) continue;
    } else if (owner !== id) continue;
    found.push({ ref, isWaiting: state === 'PENDING' });
  }
  return found;
}

async function tasksOf(job: string, runId: string): Promise<readonly number[]> {
  const { stdout } = await callSlurm('scontrol', ['write', 'batch_script', job, '-']);
  return tasksOfRun(stdout, runId);
}

/** The script of what runs gets SIGTERM, and ends its tree in the time of grace; what waits is taken from the queue. */
async function endAll(found: readonly Found[]): Promise<void> {
  const waiting = found.filter(({ isWaiting }) => isWaiting).map(({ ref }) => ref);
  if (waiting.length > 0) await callUntilAnswered('scancel', ['--quiet', ...waiting]);
  const running = found.filter(({ isWaiting }) => !isWaiting).map(({ ref }) => ref);
  if (running.length > 0) await callSlurm('scancel', ['--quiet', '--batch', '--signal=TERM', ...running]);
  const deadline = performance.now() + END_TIMEOUT_MS;
  for (let round = 0; performance.now() < deadline; round++) {
    const states = await liveStates();
    const isAlive = ({ ref }: Found) => !['COMPLETING', undefined].includes(states?.get(ref)?.state);
    if (states && !found.some(isAlive)) return;
    await sleep(Math.min(100 * 1.5 ** round, 2_000));
  }
  isUnavailable(
    await callSlurm('scancel', ['--quiet', '--full', '--signal=KILL', ...found.map(({ ref }) => ref)]),
  );
}
