import { join } from 'node:path';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import type { Dispatch, WorkerPool } from '../../core/executor.ts';
import { callSlurm, errorText } from './call-slurm.ts';
import { jobName, resourceOptions } from './submit-jobs.ts';

/** This long before the end of its time a worker is signalled, and gives its job back. */
const WARNED_SECONDS = 60;

/** An array whose tasks are the workers. */
export function dispatchWorkers(pool: WorkerPool): Dispatch {
  const args = sbatchArguments(pool);
  const script = `#!/bin/bash\nexec ${pool.argv.map(shellQuote).join(' ')}\n`;
  return {
    text: `mkdir -p ${shellQuote(pool.logDir)}\nsbatch ${args.map(shellQuote).join(' ')} <<'END'\n${script}END\n`,
    async send() {
      const answer = await callSlurm('sbatch', args, { stdin: script, env: pool.env });
      const id = /^(\d+)/.exec(answer.stdout.trim())?.[1];
      if (answer.code === 0 && id !== undefined) return id;
      throw new NightmarkError('RUN_SLURM_REFUSED', `Slurm refused the workers: ${errorText(answer)}`, {
        hint: 'squeue --me shows whether some are there nevertheless; --dry-run prints what Slurm is given.',
      });
    },
  };
}

function sbatchArguments({ user, ending, copies, parallel, logDir, resources, place }: WorkerPool) {
  const atATime = copies > parallel ? `%${parallel}` : '';
  return [
    ...['--parsable', '--no-requeue', '--export=ALL', `--chdir=${logDir}`],
    `--job-name=${jobName([{ title: `${user}-queue-${ending}` }])}`,
    ...[`--array=0-${copies - 1}${atATime}`, `--output=${join(logDir, '%A_%a.txt')}`],
    `--signal=B:TERM@${WARNED_SECONDS}`,
    ...resourceOptions(resources, place.slurm ?? {}),
  ];
}
