import { placeOf, resourcesOf } from '../../executors/cli/place-options.ts';
import type { Executor, SecretKey, WorkerPool } from '../../executors/core/executor.ts';
import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { programFile } from '../../platform/core/package-file.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { JobHome } from './open-queue.ts';

export type CrewExecutor = Executor & Required<Pick<Executor, 'dispatch'>>;

/** Which jobs, and how many workers at most. */
export interface Asked {
  readonly ids?: readonly string[];
  readonly project?: string;
  readonly parallel: number;
}

interface Given {
  readonly executor: CrewExecutor;
  readonly asked: Asked;
  readonly workers: number;
  readonly jobs: JobHome;
}

/** Where workers on Slurm print to. */
export function workerLogs(home: string): string {
  return joinPath(home, '.nightmark/workers');
}

/** The workers that a cluster is to start. */
export function crewOf(options: Options, context: CliContext, given: Given): WorkerPool {
  const { executor, asked, workers, jobs } = given;
  const isKubernetes = executor.id === 'kubernetes';
  const { env } = context;
  return {
    user: env['USER'] ?? env['LOGNAME'] ?? 'unknown',
    ending: (context.randomSeed() % 36 ** 6).toString(36).padStart(6, '0'),
    argv: [...programOf(options, context, isKubernetes), ...workWords(asked, jobs)],
    env: isKubernetes ? pick(env, ['JOBMONITOR_RESULTS_DIR']) : handedOn(env),
    ...(isKubernetes && { secrets: { NIGHTMARK_POSTGRES_URL: secretOf(options) } }),
    // As the old monitor had it: a pod for each job that is named, so many at a time.
    copies: isKubernetes ? Math.max(workers, asked.ids?.length ?? 0) : workers,
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

/** A worker that fails would take the others of its Job with it, and one that is ended loses nothing. */
function workWords({ ids, project }: Asked, { home, queue }: JobHome): readonly string[] {
  return [
    ...['job', 'work', '--once', '--exit-zero', '--requeue-on-stop', '--home', home],
    ...(queue.id === 'postgres' ? ['--postgres'] : []),
    ...(project === undefined ? [] : ['--project', project]),
    ...(ids ?? []),
  ];
}

/** What a login would set, and what is ours. */
function handedOn(env: CliContext['env']): Record<string, string> {
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
