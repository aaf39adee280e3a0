import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { DuetRunEffects } from './run-effects.ts';

/** Where things are in a folder of results. */
export interface ResultsFolder {
  readonly dir: string;
  readonly artifacts: string;
  /** Everything that is no result. */
  readonly own: string;
  readonly journal: string;
  readonly machine: string;
  /** Results on their way. */
  readonly incoming: string;
  readonly work: string;
  log(name: string): string;
  telemetry(name: string): string;
}

export interface FolderRequest {
  readonly dir: string;
  /** Go into a folder that has results, and replace those of the same runs. */
  readonly force: boolean;
  readonly resume: boolean;
}

export function resultsFolder(dir: string): ResultsFolder {
  const own = joinPath(dir, '.nightmark');
  return {
    dir,
    artifacts: joinPath(dir, 'artifacts'),
    own,
    journal: joinPath(own, 'journal.ndjson'),
    machine: joinPath(own, 'machine.json'),
    incoming: joinPath(own, 'incoming'),
    work: joinPath(own, 'work'),
    log: (name) => joinPath(own, 'logs', name),
    telemetry: (name) => joinPath(own, 'telemetry', name),
  };
}

/** Refuses a folder with results of others, and takes the lock of the folder. Gives back how to let go. */
export async function takeFolder(
  { dir, force, resume }: FolderRequest,
  runId: string,
  effects: DuetRunEffects,
): Promise<() => void> {
  const { disk, locks, clock, holder } = effects;
  const folder = resultsFolder(dir);
  if (resume && (await disk.stat(folder.journal)) === undefined) {
    throw new NightmarkError('DUET_NOTHING_TO_RESUME', `There is no run to resume in ${dir}.`, {
      hint: 'Name the folder of the interrupted run with -o, or leave out --resume.',
    });
  }
  if (!resume && !force && (await disk.stat(folder.artifacts)) !== undefined) {
    throw new NightmarkError('DUET_FOLDER_USED', `The folder ${dir} already holds the results of a run.`, {
      hint: '--resume completes that run, -f runs again and replaces results, -o names another folder.',
    });
  }
  await disk.makeDir(folder.own);
  const since = new Date(clock.now()).toISOString();
  const outcome = await locks.acquire(joinPath(folder.own, 'lock'), { run: runId, ...holder, since });
  if (outcome.state === 'acquired') return () => outcome.release();
  const { run, pid, host, since: heldSince } = outcome.holder;
  throw new NightmarkError(
    'DUET_LOCKED',
    `Another duet run writes to ${dir}: ${run} by process ${pid} on ${host} since ${heldSince}.`,
    { hint: 'Wait for it, end it with Ctrl-C, or name another folder with -o.' },
  );
}
