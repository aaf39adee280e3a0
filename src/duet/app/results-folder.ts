import type { Disk, JournalFile } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import {
  type DuetFileRecord,
  type DuetJournalEvent,
  type DuetRunRecord,
  parseDuetJournal,
} from '../core/duet-journal.ts';
import type { DuetRunEffects } from './run-effects.ts';

/** Where things are in a folder of results. */
export interface ResultsFolder {
  readonly dir: string;
  readonly artifacts: string;
  /** Everything that is not a result. */
  readonly own: string;
  readonly journal: string;
  readonly machine: string;
  /** Results that are not complete yet. */
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

/** Refuses a folder with other results, and locks the folder. Returns the function that unlocks it. */
export async function lockFolder(
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

/** The journal of a folder of results: what was done before, and what is done now. */
export class RunJournal {
  readonly #journal: JournalFile;
  readonly #files: DuetFileRecord[] = [];
  readonly #records = new Map<string, DuetRunRecord>();

  constructor(journal: JournalFile, events: readonly DuetJournalEvent[]) {
    this.#journal = journal;
    for (const event of events) this.#take(event);
  }

  /** The event is on disk when this returns; the results that it names were synced before. */
  record(event: DuetJournalEvent): void {
    this.#take(event);
    // After a crash the last line may be cut off: the next event starts a new line.
    this.#journal.append(`${event.type === 'resume' ? '\n' : ''}${JSON.stringify(event)}\n`);
    this.#journal.flush();
  }

  get files(): readonly DuetFileRecord[] {
    return this.#files;
  }

  /** How a run of the plan of a file ended, unless it is still to be done. */
  ended(config: string, index: number): DuetRunRecord | undefined {
    const record = this.#records.get(`${config} ${index}`);
    return record?.outcome === 'interrupted' ? undefined : record;
  }

  close(): void {
    this.#journal.close();
  }

  #take(event: DuetJournalEvent): void {
    if (event.type === 'file') this.#files.push(event);
    if (event.type === 'run-ended') this.#records.set(`${event.config} ${event.index}`, event.record);
  }
}

/** Goes on with the journal of the folder, or begins a new one beside those of earlier runs. */
export async function openRunJournal(
  folder: ResultsFolder,
  { resume, runId }: { readonly resume: boolean; readonly runId: string },
  disk: Disk,
): Promise<RunJournal> {
  const earlier = parseDuetJournal((await disk.readText(folder.journal)) ?? '');
  if (!resume && earlier.length > 0) {
    const [first] = earlier;
    const id = first?.type === 'begin' ? first.runId : `before-${runId}`;
    await disk.rename(folder.journal, joinPath(folder.own, `journal-${id}.ndjson`));
  }
  return new RunJournal(await disk.openJournal(folder.journal), resume ? earlier : []);
}
