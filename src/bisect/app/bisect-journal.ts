import type { Disk, JournalFile } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type BisectEvent, type BisectPlan, parseBisectJournal } from '../core/bisect-plan.ts';

/** The journal of one search: every pair that was measured is in it. */
export class BisectJournal {
  readonly id: string;
  readonly plan: BisectPlan;
  readonly #journal: JournalFile;
  readonly #events: BisectEvent[];

  constructor(journal: JournalFile, events: readonly BisectEvent[]) {
    const begin = events.find((event) => event.type === 'begin');
    if (begin?.type !== 'begin') throw new NightmarkError('BISECT_BAD_STATE', 'The state has no beginning.');
    this.id = begin.id;
    this.plan = begin.plan;
    this.#journal = journal;
    this.#events = [...events];
  }

  get events(): readonly BisectEvent[] {
    return this.#events;
  }

  /** Survives the death of this process when it returns. */
  record(event: BisectEvent): void {
    this.#events.push(event);
    // After a crash the last line may be cut off: it stays alone on its line.
    this.#journal.append(`${event.type === 'resume' ? '\n' : ''}${JSON.stringify(event)}\n`);
    if (event.type !== 'prepared') this.#journal.flush();
  }

  close(): void {
    this.#journal.close();
  }
}

export async function beginJournal(
  folder: string,
  begin: Extract<BisectEvent, { type: 'begin' }>,
  disk: Disk,
): Promise<BisectJournal> {
  await disk.makeDir(folder);
  const journal = await disk.openJournal(joinPath(folder, `${begin.id}${JOURNAL_ENDING}`));
  journal.append(`${JSON.stringify(begin)}\n`);
  return new BisectJournal(journal, [begin]);
}

/** Goes on with the search of this id, or with the newest one that has not ended. */
export async function resumeJournal(
  folder: string,
  { id, at }: { readonly id?: string; readonly at: number },
  disk: Disk,
): Promise<BisectJournal> {
  const files = (await disk.list(folder)).filter(({ name }) => name.endsWith(JOURNAL_ENDING)).reverse();
  for (const { name } of files) {
    if (id !== undefined && name !== `${id}${JOURNAL_ENDING}`) continue;
    const events = parseBisectJournal((await disk.readText(joinPath(folder, name))) ?? '');
    if (events[0]?.type !== 'begin' || events.some(({ type }) => type === 'end')) continue;
    const journal = new BisectJournal(await disk.openJournal(joinPath(folder, name)), events);
    journal.record({ type: 'resume', at });
    return journal;
  }
  throw new NightmarkError(
    'BISECT_NOTHING_TO_RESUME',
    id === undefined
      ? `No search in ${folder} waits to be resumed.`
      : `No search ${id} in ${folder} waits to be resumed.`,
    { hint: 'Begin one: nightmark bisect --good v1.0 --bad main -- ./bench' },
  );
}

const JOURNAL_ENDING = '.ndjson';
