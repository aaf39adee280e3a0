import { createHash } from 'node:crypto';
import { numberOption } from '../../executors/cli/place-options.ts';
import type { Executor } from '../../executors/core/executor.ts';
import { adapterIds, loadAdapter } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { isAlive, ownWorker } from '../../platform/cli/worker-identity.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { work } from '../app/work.ts';
import type { WorkEffects, WorkEvent, WorkOptions } from '../app/work-effects.ts';
import { type Job, shortId } from '../core/job.ts';
import { metricsSink } from './job-metrics.ts';
import { wholeIds } from './job-selector.ts';
import { HOME_OPTION, type JobHome, openJobHome, POSTGRES_OPTION } from './open-queue.ts';

const EXAMPLES = `
Takes jobs from the queue and runs them, the highest priority first, then the oldest. Any number of workers, on one machine
or on many (with PostgreSQL), share a queue; no job runs twice at once. Ctrl-C ends the running jobs as cancelled.

Examples:
  nightmark job work                              until Ctrl-C, one job at a time
  nightmark job work --slots 4 --once             four at a time, until the queue is empty
  nightmark job work 3f9a1c                       this job only
  nightmark job work --executor slurm             sends jobs to Slurm and follows them
  mpirun -n 4 nightmark job work --mpi 3f9a1c     one process for each rank of a job with four workers`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[id...]', 'only these jobs')
      .option('--slots <n>', 'jobs of this machine at once', '1')
      .option('--remote-slots <n>', 'jobs on clusters at once', '1000')
      .option('--executor <name...>', 'only jobs for these executors (default: process and container)')
      .option('--project <name>', 'only jobs of this project')
      .option('--once', 'end when there is nothing left to take')
      .option('--mpi', 'the rank of this process as MPI or Slurm gave it; needs one id')
      .option(
        '--requeue-on-stop',
        'jobs that run when the worker is stopped wait again instead of being cancelled',
      )
      .option('--exit-zero', 'exit code 0 also when jobs failed: for workers that a cluster starts')
      .option(...HOME_OPTION)
      .option(...POSTGRES_OPTION)
      .option('--json', 'print what was done as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run(words, options, context) {
    const jobs = await openJobHome(options, context);
    const metrics = metricsSink(jobs.home, context);
    try {
      const given = await workOptions(words, options, { context, jobs });
      const counts = await work(given, await workEffects(options, { context, jobs }, metrics));
      if (flag(options, 'json')) context.stdout.write(`${JSON.stringify(counts)}\n`);
      if (context.signal.aborted) return EXIT.interrupted;
      const isFailed = counts.failed > 0 && given.isDraining && !flag(options, 'exitZero');
      return isFailed ? EXIT.someFailed : EXIT.fine;
    } finally {
      await metrics.close();
      await jobs.queue.close();
    }
  },
};

export default command;

interface Around {
  readonly context: CliContext;
  readonly jobs: JobHome;
}

async function workOptions(
  words: readonly string[],
  options: Options,
  { context, jobs }: Around,
): Promise<WorkOptions> {
  const ids = await wholeIds(words, jobs.queue);
  const project = textOption(options, 'project');
  const rank = flag(options, 'mpi') ? rankOf(ids, context) : undefined;
  return {
    results: jobs.results,
    kitDir: joinPath(context.packageDir, 'kit/python'),
    slots: atLeastOne(numberOption(options, 'slots') ?? 1, 'slots'),
    remoteSlots: atLeastOne(numberOption(options, 'remoteSlots') ?? 1000, 'remote-slots'),
    ...(ids.length > 0 && { ids }),
    ...(project !== undefined && { project }),
    ...(rank !== undefined && { rank }),
    isDraining: flag(options, 'once') || ids.length > 0,
    onStop: flag(options, 'requeueOnStop') ? 'requeue' : 'cancel',
  };
}

async function workEffects(
  options: Options,
  { context, jobs }: Around,
  metrics: WorkEffects['metrics'],
): Promise<WorkEffects> {
  const { disk, clock, env, signal, hostName, version } = context;
  const { localMachine } = await import('../../home/adapters/machine/local-machine.ts');
  const { id: machineId, facts } = await localMachine().probe();
  return {
    ...{ disk, clock, env, signal, metrics, queue: jobs.queue },
    archiver: (await import('../../platform/adapters/tar/tar.ts')).tarArchiver,
    executors: await executorsOf(options),
    worker: ownWorker(context),
    facts: { machine: facts, machineId, nightmark: version },
    isAlive: (worker) => isAlive(worker, hostName),
    decoder: () => new TextDecoder(),
    md5: (text) => createHash('md5').update(text).digest('hex'),
    canceller: () => new AbortController(),
    report: workReporter(context),
  };
}

async function executorsOf(options: Options): Promise<ReadonlyMap<string, Executor>> {
  const given = options['executor'];
  const ids: readonly string[] = Array.isArray(given) ? given : ['process', 'container'];
  const known = adapterIds('executors');
  const loaded = await Promise.all(
    ids.map(async (id) => {
      if (known.includes(id)) return [id, await loadAdapter<Executor>('executors', id)] as const;
      throw new NightmarkError('JOBS_EXECUTOR', `There is no executor "${id}".`, {
        hint: `There are: ${known.join(', ')}.`,
      });
    }),
  );
  return new Map(loaded);
}

function rankOf(ids: readonly string[], { env }: CliContext): number {
  const text = env['OMPI_COMM_WORLD_RANK'] ?? env['PMIX_RANK'] ?? env['PMI_RANK'] ?? env['SLURM_PROCID'];
  if (text === undefined || !/^\d+$/.test(text))
    throw new NightmarkError('JOBS_NO_RANK', 'There is no rank in the environment.', {
      hint: 'Start it by mpirun or srun; OMPI_COMM_WORLD_RANK, PMIX_RANK or SLURM_PROCID is used.',
    });
  if (ids.length === 1) return Number(text);
  throw new NightmarkError('JOBS_NO_RANK', '--mpi needs the id of one job.', {
    hint: 'All processes of one mpirun work on the same job: nightmark job work --mpi ID',
  });
}

function atLeastOne(value: number, name: string): number {
  if (value >= 1) return value;
  throw new NightmarkError('JOBS_NUMBER', `--${name} is at least 1, not ${value}.`, {
    hint: `Give --${name} 1.`,
  });
}

/** Prints a line for each event of a worker. */
export function workReporter({ stderr, clock }: CliContext): (event: WorkEvent) => void {
  let last = '';
  return (event) => {
    const line = describe(event);
    // An unavailable queue is reported once, not with every attempt.
    if (event.type === 'problem' && line === last) return;
    last = line;
    const { hour, minute, second } = clock.wall(clock.now());
    const time = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
    stderr.write(`${time} ${visible(line)}\n`);
  };
}

function describe(event: WorkEvent): string {
  switch (event.type) {
    case 'claimed':
      return `${nameOf(event.job)} claimed${rankText(event)}`;
    case 'resumed':
      return `${nameOf(event.job)} continues where another worker stopped`;
    case 'started':
      return `${nameOf(event.job)} runs in ${event.folder}`;
    case 'ended':
      return `${nameOf(event.job)}${rankText(event)} ${event.how}`;
    case 'requeued':
      return `${shortId(event.id)} lost its worker: ${event.becomes === 'CREATED' ? 'it waits again' : 'it failed'}`;
    case 'problem':
      return event.id === undefined ? event.message : `${shortId(event.id)}: ${event.message}`;
  }
}

function nameOf({ id, experiment, name }: Job): string {
  return `${shortId(id)} ${experiment}/${name}`;
}

function rankText({ job, rank }: { readonly job: Job; readonly rank: number }): string {
  return job.workers > 1 ? ` (rank ${rank} of ${job.workers})` : '';
}
