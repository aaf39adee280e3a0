import { inspectHome } from '../../config/read-home.ts';
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

export async function openJobHome(options: Options, context: CliContext): Promise<JobHome> {
  const { env, clock, stderr, disk, userHome } = context;
  const home = await homeArgument(textOption(options, 'home') ?? env['NIGHTMARK_HOME'], context);
  const inspection = await inspectHome(home, {}, { disk, userHome, env });
  if (inspection.state !== 'usable' && inspection.error.code !== 'CONFIG_MISSING') throw inspection.error;
  const said = inspection.state === 'usable' ? inspection.reading.home.jobs : undefined;
  const store = flag(options, 'postgres') ? 'postgres' : (said?.store ?? 'sqlite');
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
