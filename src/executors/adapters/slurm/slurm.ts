import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Executor } from '../../core/executor.ts';
import { callSlurm, wordsOf } from './call-slurm.ts';
import { dispatchCrew } from './dispatch-crew.ts';
import { endLeftovers } from './leftovers.ts';
import { attachJob, startJob } from './run-job.ts';

/** Sends commands to a cluster with Slurm, as batch jobs of the user who runs us. */
const slurmExecutor: Executor = {
  id: 'slurm',
  title: 'Batch jobs of Slurm',
  capabilities: { together: false, pinning: false, limits: true, remote: true },
  ready,
  start: startJob,
  attach: attachJob,
  dispatch: dispatchCrew,
  endLeftovers,
};

async function ready(): Promise<void> {
  const answer = await callSlurm('sbatch', ['--version']);
  if (answer.code === 0) return;
  throw new NightmarkError('RUN_NO_SLURM', `Slurm cannot be used from here: ${wordsOf(answer)}`, {
    hint: 'Run this where "sbatch --version" and "squeue" work (a login node), with SLURM_CONF set if yours needs it.',
  });
}

export default slurmExecutor;
