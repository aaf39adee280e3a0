import { declareNeeds, numberOption } from '../../executors/cli/place-options.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { type Waiting, waitingJobs } from '../app/waiting-jobs.ts';
import { type Asked, type CrewExecutor, crewOf, workerLogs } from './crew.ts';
import { wholeIds } from './find-jobs.ts';
import type { JobHome } from './open-queue.ts';
import { declareQueue, withJobs } from './with-jobs.ts';

/** Their ids are part of every worker's command. */
const MOST_IDS = 1_000;
/** Clusters keep a list of all copies; beyond it something else was meant. */
const MOST_WORKERS = 1_000;

const EXAMPLES = `
Starts workers on a cluster, which take jobs that wait, run them, and end when nothing is left. The jobs are those of
the usual executors (process, container); nothing of ours has to stay behind. On Kubernetes the workers are the pods of
one queue Job, on Slurm the tasks of one array. (Jobs that were submitted with --executor slurm or kubernetes are sent
one by one, each with its own resources, by: nightmark job work --executor slurm)

Examples:
  nightmark job dispatch --executor slurm --parallel 20 --time 4h --cpus 8
  nightmark job dispatch --executor kubernetes --postgres --image registry.example/ml:1 --volume lab=/lab --home /lab
  nightmark job dispatch 3f9a1c 77b2e0 --executor kubernetes --postgres --image ml:1 --dry-run | kubectl apply -f -`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[id...]', 'only these jobs; they stand before the options')
      .requiredOption('--executor <name>', 'slurm or kubernetes')
      .option('--parallel <n>', 'workers at a time', '10')
      .option('--project <name>', 'only jobs of this project')
      .option(
        '--postgres-secret <name/key>',
        'Kubernetes secret that holds NIGHTMARK_POSTGRES_URL',
        'nightmark/postgres-url',
      )
      .option('--program <path>', 'Nightmark as it is called there (default: nightmark; on Slurm, this one)')
      .option('--dry-run', 'print what the cluster would be given, and give it nothing')
      .option('--json', 'print what was started as JSON');
    declareNeeds(parser);
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const executor = await executorOf(options);
      const asked = await askedOf(words, options, jobs);
      refuseFile(executor, jobs, context);
      const waiting = await waitingJobs(asked, jobs.queue);
      const workers = workersFor(waiting, asked);
      if (workers > 0) await start(options, context, { executor, asked, waiting, workers, jobs });
      else tellNothing(options, context);
      return EXIT.fine;
    });
  },
};

export default command;

interface Start {
  readonly executor: CrewExecutor;
  readonly asked: Asked;
  readonly waiting: Waiting;
  readonly workers: number;
  readonly jobs: JobHome;
}

async function start(options: Options, context: CliContext, given: Start): Promise<void> {
  const { executor, waiting, workers, jobs } = given;
  const { stdout, stderr, disk } = context;
  const dispatch = executor.dispatch(crewOf(options, context, given));
  if (flag(options, 'dryRun')) return stdout.write(dispatch.text);
  await executor.ready();
  if (executor.id === 'slurm') await disk.makeDir(workerLogs(jobs.home));
  const ref = await dispatch.send();
  stdout.write(
    flag(options, 'json') ? `${JSON.stringify({ ref, workers, waiting: waiting.jobs })}\n` : `${ref}\n`,
  );
  const name = executor.id === 'slurm' ? 'Slurm' : 'Kubernetes';
  const look =
    executor.id === 'slurm' ? `squeue --job ${ref}` : `kubectl get job,pods -n ${ref.split('/')[0]}`;
  const what = `${counted(workers, 'worker')} for ${counted(waiting.jobs, 'waiting job')}`;
  stderr.write(`${name} starts ${what}: ${look}\n`);
}

function tellNothing(options: Options, { stdout, stderr }: CliContext): void {
  if (flag(options, 'json')) stdout.write(`${JSON.stringify({ workers: 0, waiting: 0 })}\n`);
  stderr.write('No such job waits for a worker: none was started.\n');
}

async function executorOf(options: Options): Promise<CrewExecutor> {
  const id = textOption(options, 'executor') ?? '';
  if (id === 'slurm' || id === 'kubernetes') return loadAdapter<CrewExecutor>('executors', id);
  throw new NightmarkError('JOBS_EXECUTOR', `"${id}" is no cluster that starts workers.`, {
    hint: 'Give --executor slurm or --executor kubernetes. Workers of this machine: nightmark job work --slots 4',
  });
}

async function askedOf(words: readonly string[], options: Options, { queue }: JobHome): Promise<Asked> {
  const ids = [...new Set(await wholeIds(words, queue))];
  if (ids.length > MOST_IDS)
    throw new NightmarkError('JOBS_NUMBER', `${ids.length} ids are more than the ${MOST_IDS} it takes.`, {
      hint: 'Leave them out, and name their project with --project.',
    });
  const parallel = numberOption(options, 'parallel') ?? 10;
  if (parallel < 1 || parallel > MOST_WORKERS)
    throw new NightmarkError('JOBS_NUMBER', `--parallel is from 1 to ${MOST_WORKERS}, not ${parallel}.`, {
      hint: 'Workers take one job after the other: for example --parallel 10',
    });
  const project = textOption(options, 'project');
  return { parallel, ...(ids.length > 0 && { ids }), ...(project !== undefined && { project }) };
}

function workersFor({ jobs, ranks, widest }: Waiting, { parallel }: Asked): number {
  if (widest > parallel)
    throw new NightmarkError(
      'JOBS_NUMBER',
      `A job that waits needs ${widest} workers at the same time, and --parallel is ${parallel}.`,
      { hint: `Give --parallel ${widest} or more, or only the ids of other jobs.` },
    );
  return jobs === 0 ? 0 : Math.min(ranks, parallel);
}

/** A file with locks is one machine's; only people know whether theirs are kept on all. */
function refuseFile({ id }: CrewExecutor, { queue, home }: JobHome, { stderr }: CliContext): void {
  if (queue.id === 'postgres') return;
  if (id === 'kubernetes')
    throw new NightmarkError('JOBS_NOT_SHARED', `The queue is a file in ${home}, which no pod can share.`, {
      hint: 'Keep the queue in PostgreSQL: set NIGHTMARK_POSTGRES_URL and give --postgres.',
    });
  stderr.write(
    `The queue is a file in ${home}: workers on other machines need one in PostgreSQL (--postgres).\n`,
  );
}
