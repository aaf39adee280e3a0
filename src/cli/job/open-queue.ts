import { inspectHome } from '../../config/read-home.ts';
import { NightmarkError } from '../../core/errors.ts';
import { homeLayout } from '../../core/model/layout.ts';
import { resolvePath } from '../../core/path.ts';
import type { JobQueue } from '../../core/ports/job-queue.ts';
import { loadAdapter } from '../adapters.ts';
import { flag, type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';
import { homeArgument } from '../home/home-argument.ts';

/** The jobs of a home: their queue, and where their folders lie. */
export interface JobHome {
  readonly home: string;
  readonly queue: JobQueue;
  /** Absolute folder of results. */
  readonly results: string;
}

/** What a queue has no use for it does not look at. */
type OpenQueue = (options: {
  readonly place: string;
  readonly now: () => number;
  readonly env: CliContext['env'];
  readonly tell: (line: string) => void;
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
  const { env, clock, stderr, disk, userHome } = context;
  const home = await homeArgument(textOption(options, 'home') ?? env['NIGHTMARK_HOME'], context);
  const inspection = await inspectHome(home, {}, { disk, userHome, env });
  if (inspection.state !== 'usable' && inspection.error.code !== 'CONFIG_MISSING') throw inspection.error;
  const said = inspection.state === 'usable' ? inspection.reading.home.jobs : undefined;
  const store = flag(options, 'postgres') ? 'postgres' : (said?.store ?? 'sqlite');
  if (mustExist && store === 'sqlite') await refuseMissing(home, context);
  const openQueue = await loadAdapter<OpenQueue>('queues', store);
  const tell = (line: string) => stderr.write(`${line}\n`);
  const queue = await openQueue({
    place: store === 'sqlite' ? homeLayout(home).jobs : '',
    now: () => clock.now(),
    env,
    tell,
  });
  const folder = env['JOBMONITOR_RESULTS_DIR'] ?? said?.results;
  const results = folder === undefined ? homeLayout(home).jobResults : resolvePath(home, folder);
  return { home, queue, results };
}

/** Who only looks must not leave an empty queue in whatever folder they stand. */
async function refuseMissing(home: string, { disk }: CliContext): Promise<void> {
  if ((await disk.stat(homeLayout(home).jobs)) !== undefined) return;
  throw new NightmarkError('JOBS_NO_QUEUE', `There are no jobs in ${home}: nothing was submitted there.`, {
    hint: 'Name the home with --home or NIGHTMARK_HOME, or submit a first job: nightmark job submit -- COMMAND',
  });
}
