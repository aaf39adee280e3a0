import type { Command as Parser } from 'commander';
import { homeArgument } from '../../home/cli/home-argument.ts';
import type { Home } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { JobQueue } from '../core/job-queue.ts';

/** The jobs of a home: their queue, and where their folders lie. */
export interface JobHome {
  readonly home: string;
  readonly queue: JobQueue;
  /** Absolute folder of results. */
  readonly results: string;
}

/** Adapters ignore the options that they do not need. */
type OpenQueue = (options: {
  readonly place: string;
  readonly now: () => number;
  readonly env: CliContext['env'];
  readonly notify: (line: string) => void;
}) => Promise<JobQueue>;

/** What every command about jobs takes. */
export const HOME_OPTION = [
  '--home <dir>',
  'the home whose queue is meant (default: NIGHTMARK_HOME, else this folder)',
] as const;
export const POSTGRES_OPTION = [
  '--postgres',
  'the queue in the database that NIGHTMARK_POSTGRES_URL names, not the one in the home',
] as const;

export async function openJobHome(
  options: Options,
  context: CliContext,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<JobHome> {
  const { env, clock, stderr } = context;
  const { home, store, results } = await jobPlaces(options, context);
  if (mustExist && store === 'sqlite') await checkQueueExists(home, context);
  const openQueue = await loadAdapter<OpenQueue>('queues', store);
  const notify = (line: string) => stderr.write(`${line}\n`);
  const queue = await openQueue({
    place: store === 'sqlite' ? homeLayout(home).jobs : '',
    now: () => clock.now(),
    env,
    notify,
  });
  return { home, queue, results };
}

/** Where the queue of a home is, and the folders of its jobs. */
export async function jobPlaces(
  options: Options,
  context: CliContext,
): Promise<Omit<JobHome, 'queue'> & { readonly store: string }> {
  const { env } = context;
  const home = await homeArgument(textOption(options, 'home') ?? env['NIGHTMARK_HOME'], context);
  const settings = await readSettings(home, context);
  const store = flag(options, 'postgres') ? 'postgres' : (settings?.store ?? 'sqlite');
  const folder = env['JOBMONITOR_RESULTS_DIR'] ?? settings?.results;
  const results = folder === undefined ? homeLayout(home).jobResults : resolvePath(home, folder);
  return { home, store, results };
}

/**
 * The `jobs` section of the definition. Reading a definition costs more than a query of the queue, so it is parsed only
 * when the word occurs in it.
 */
async function readSettings(home: string, { disk, userHome, env }: CliContext): Promise<Home['jobs']> {
  const files = ['nightmark.yml', 'nightmark.yaml'].map((name) => joinPath(home, name));
  const texts = await Promise.all(files.map((file) => disk.readText(file)));
  if (!texts.some((text) => text?.includes('jobs'))) return undefined;
  const { readHome } = await import('../../home/config/read-home.ts');
  return (await readHome(home, {}, { disk, userHome, env })).home.jobs;
}

/** A command that only reads must not create an empty queue. */
async function checkQueueExists(home: string, { disk }: CliContext): Promise<void> {
  if ((await disk.stat(homeLayout(home).jobs)) !== undefined) return;
  throw new NightmarkError('JOBS_NO_QUEUE', `There are no jobs in ${home}: nothing was submitted there.`, {
    hint: 'Name the home with --home or NIGHTMARK_HOME, or submit a first job: nightmark job submit -- COMMAND',
  });
}

/** Options of every command that reads jobs. */
export function declareQueue(parser: Parser): void {
  parser.option(...HOME_OPTION).option(...POSTGRES_OPTION);
}

/** Opens an existing queue, and closes it after use. */
export async function withJobs<T>(
  options: Options,
  context: CliContext,
  use: (jobs: JobHome) => Promise<T>,
): Promise<T> {
  const jobs = await openJobHome(options, context, { mustExist: true });
  try {
    return await use(jobs);
  } finally {
    await jobs.queue.close();
  }
}

export function isNoQueue(error: unknown): boolean {
  return error instanceof NightmarkError && error.code === 'JOBS_NO_QUEUE';
}
