import type { Disk, JournalFile } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import {
  type DuetFileRecord,
  type DuetJournalEvent,
  type DuetRunRecord,
  parseDuetJournal,
} from '../core/duet-journal.ts';
import type { ResultsFolder } from './run-folder.ts';

/** The journal of a folder of results: what was done before, and what is done now. */
export class RunBook {
  readonly #journal: JournalFile;
  readonly #files: DuetFileRecord[] = [];
  readonly #records = new Map<string, DuetRunRecord>();

  constructor(journal: JournalFile, events: readonly DuetJournalEvent[]) {
    this.#journal = journal;
    for (const event of events) this.#take(event);
  }

  /** On the platter when it returns: what it tells of was brought there before. */
  record(event: DuetJournalEvent): void {
    this.#take(event);
    // After a crash the last line may be cut off: it stays alone on its line.
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
export async function openBook(
  folder: ResultsFolder,
  { resume, runId }: { readonly resume: boolean; readonly runId: string },
  disk: Disk,
): Promise<RunBook> {
  const earlier = parseDuetJournal((await disk.readText(folder.journal)) ?? '');
  if (!resume && earlier.length > 0) {
    const [first] = earlier;
    const id = first?.type === 'begin' ? first.runId : `before-${runId}`;
    await disk.rename(folder.journal, joinPath(folder.own, `journal-${id}.ndjson`));
  }
  return new RunBook(await disk.openJournal(folder.journal), resume ? earlier : []);
}
