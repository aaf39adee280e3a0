import { declareNeeds, numberOption, placeOf, resourcesOf } from '../../executors/cli/place-options.ts';
import type { Executor, SecretKey, WorkerPool } from '../../executors/core/executor.ts';
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
import { programFile } from '../../platform/core/package-file.ts';
import { joinPath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { wholeIds } from './job-selector.ts';
import { declareQueue, type JobHome, withJobs } from './open-queue.ts';

/** The ids are arguments of every worker's command. */
const MAX_IDS = 1_000;
/** More are probably a mistake. */
const MAX_WORKERS = 1_000;

const EXAMPLES = `
Starts workers on a cluster, which take jobs that wait, run them, and end when nothing is left. The jobs are those of
the usual executors (process, container); nothing has to keep running here. On Kubernetes the workers are the pods of
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
      .option('--dry-run', 'print what would be submitted, and submit nothing')
      .option('--json', 'print what was started as JSON');
    declareNeeds(parser);
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const executor = await executorOf(options);
      const request = await requestOf(words, options, jobs);
      checkShared(executor, jobs, context);
      const waiting = await waitingJobs(request, jobs.queue);
      const workers = workersFor(waiting, request);
      if (workers > 0) await startWorkers(options, context, { executor, request, waiting, workers, jobs });
      else reportNothing(options, context);
      return EXIT.fine;
    });
  },
};

export default command;

interface Start {
  readonly executor: PoolExecutor;
  readonly request: DispatchRequest;
  readonly waiting: Waiting;
  readonly workers: number;
  readonly jobs: JobHome;
}

async function startWorkers(options: Options, context: CliContext, given: Start): Promise<void> {
  const { executor, waiting, workers, jobs } = given;
  const { stdout, stderr, disk } = context;
  const dispatch = executor.dispatch(workerPoolOf(options, context, given));
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

function reportNothing(options: Options, { stdout, stderr }: CliContext): void {
  if (flag(options, 'json')) stdout.write(`${JSON.stringify({ workers: 0, waiting: 0 })}\n`);
  stderr.write('No such job waits for a worker: none was started.\n');
}

async function executorOf(options: Options): Promise<PoolExecutor> {
  const id = textOption(options, 'executor') ?? '';
  if (id === 'slurm' || id === 'kubernetes') return loadAdapter<PoolExecutor>('executors', id);
  throw new NightmarkError('JOBS_EXECUTOR', `Not a cluster that starts workers: "${id}".`, {
    hint: 'Give --executor slurm or --executor kubernetes. Workers of this machine: nightmark job work --slots 4',
  });
}

async function requestOf(
  words: readonly string[],
  options: Options,
  { queue }: JobHome,
): Promise<DispatchRequest> {
  const ids = [...new Set(await wholeIds(words, queue))];
  if (ids.length > MAX_IDS)
    throw new NightmarkError('JOBS_NUMBER', `${ids.length} ids are more than the ${MAX_IDS} it takes.`, {
      hint: 'Leave them out, and name their project with --project.',
    });
  const parallel = numberOption(options, 'parallel') ?? 10;
  if (parallel < 1 || parallel > MAX_WORKERS)
    throw new NightmarkError('JOBS_NUMBER', `--parallel is from 1 to ${MAX_WORKERS}, not ${parallel}.`, {
      hint: 'Workers take one job after the other: for example --parallel 10',
    });
  const project = textOption(options, 'project');
  return { parallel, ...(ids.length > 0 && { ids }), ...(project !== undefined && { project }) };
}

function workersFor({ jobs, ranks, widest }: Waiting, { parallel }: DispatchRequest): number {
  if (widest > parallel)
    throw new NightmarkError(
      'JOBS_NUMBER',
      `A job that waits needs ${widest} workers at the same time, and --parallel is ${parallel}.`,
      { hint: `Give --parallel ${widest} or more, or only the ids of other jobs.` },
    );
  return jobs === 0 ? 0 : Math.min(ranks, parallel);
}

/** Locks of a file work on one machine; whether a shared file system has them only its users know. */
function checkShared({ id }: PoolExecutor, { queue, home }: JobHome, { stderr }: CliContext): void {
  if (queue.id === 'postgres') return;
  if (id === 'kubernetes')
    throw new NightmarkError('JOBS_NOT_SHARED', `The queue is a file in ${home}, which no pod can share.`, {
      hint: 'Keep the queue in PostgreSQL: set NIGHTMARK_POSTGRES_URL and give --postgres.',
    });
  stderr.write(
    `The queue is a file in ${home}: workers on other machines need one in PostgreSQL (--postgres).\n`,
  );
}

/** Jobs that wait for workers that run programs themselves. */
export interface Waiting {
  readonly jobs: number;
  /** Workers that could be busy at once: those of all jobs together. */
  readonly ranks: number;
  /** The most workers that one of them needs at the same time. */
  readonly widest: number;
}

/** Executors whose programs run where the worker is. */
const LOCAL = ['process', 'container'];
/** More would not change the number of workers. */
const MAX_READ = 10_000;

export async function waitingJobs(
  { ids, project }: { readonly ids?: readonly string[]; readonly project?: string },
  queue: JobQueue,
): Promise<Waiting> {
  const found = await queue.list({
    limit: MAX_READ,
    status: 'CREATED',
    ...(ids !== undefined && { ids }),
    ...(project !== undefined && { project }),
  });
  const workers = found.filter(({ executor }) => LOCAL.includes(executor)).map((job) => job.workers);
  return {
    jobs: workers.length,
    ranks: workers.reduce((sum, count) => sum + count, 0),
    widest: Math.max(0, ...workers),
  };
}

export type PoolExecutor = Executor & Required<Pick<Executor, 'dispatch'>>;

/** Which jobs, and how many workers at most. */
export interface DispatchRequest {
  readonly ids?: readonly string[];
  readonly project?: string;
  readonly parallel: number;
}

interface Given {
  readonly executor: PoolExecutor;
  readonly request: DispatchRequest;
  readonly workers: number;
  readonly jobs: JobHome;
}

/** Where workers on Slurm print to. */
export function workerLogs(home: string): string {
  return joinPath(home, '.nightmark/workers');
}

/** The workers that a cluster is to start. */
export function workerPoolOf(options: Options, context: CliContext, given: Given): WorkerPool {
  const { executor, request, workers, jobs } = given;
  const isKubernetes = executor.id === 'kubernetes';
  const { env } = context;
  return {
    user: env['USER'] ?? env['LOGNAME'] ?? 'unknown',
    ending: (context.randomSeed() % 36 ** 6).toString(36).padStart(6, '0'),
    argv: [...programOf(options, context, isKubernetes), ...workArguments(request, jobs)],
    env: isKubernetes ? pick(env, ['JOBMONITOR_RESULTS_DIR']) : loginEnvironment(env),
    ...(isKubernetes && { secrets: { NIGHTMARK_POSTGRES_URL: secretOf(options) } }),
    // As in the old monitor: a pod for each given id, at most `parallel` at a time.
    copies: isKubernetes ? Math.max(workers, request.ids?.length ?? 0) : workers,
    parallel: workers,
    logDir: workerLogs(jobs.home),
    resources: resourcesOf(options),
    place: placeOf(options, env),
  };
}

function programOf(
  options: Options,
  { packageDir }: CliContext,
  isKubernetes: boolean,
): [string, ...string[]] {
  const program = textOption(options, 'program');
  if (program !== undefined) return [program];
  if (isKubernetes) return ['nightmark'];
  return [process.execPath, programFile(packageDir)];
}

/** --exit-zero: a failing worker would end the others of its Job. --requeue-on-stop: a stopped one loses nothing. */
function workArguments({ ids, project }: DispatchRequest, { home, queue }: JobHome): readonly string[] {
  return [
    ...['job', 'work', '--once', '--exit-zero', '--requeue-on-stop', '--home', home],
    ...(queue.id === 'postgres' ? ['--postgres'] : []),
    ...(project === undefined ? [] : ['--project', project]),
    ...(ids ?? []),
  ];
}

/** Variables that a login sets, and our own. */
function loginEnvironment(env: CliContext['env']): Record<string, string> {
  const ours = Object.keys(env).filter((name) => /^(NIGHTMARK_|JOBMONITOR_|PG[A-Z]+$|LC_)/.test(name));
  return pick(env, ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', ...ours]);
}

function pick(env: CliContext['env'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function secretOf(options: Options): SecretKey {
  const text = textOption(options, 'postgresSecret') ?? '';
  const [, name, key] = /^([^/\s]+)\/([^/\s]+)$/.exec(text) ?? [];
  if (name !== undefined && key !== undefined) return { name, key };
  throw new NightmarkError('JOBS_PAIR', `--postgres-secret "${text}" is not name/key.`, {
    hint: 'kubectl create secret generic nightmark --from-literal=postgres-url=postgres://... makes nightmark/postgres-url.',
  });
}
