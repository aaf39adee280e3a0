import type { FollowedChange } from '../../home/core/changes/change-ledger.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { plainCell } from '../../platform/core/text/csv.ts';
import { type DuetJournalEvent, parseDuetJournal } from '../core/duet-journal.ts';
import { resultsFolder } from './results-folder.ts';

/** Results of duets with their facts before they are read. */
export interface DuetEntry extends Pick<DuetPlace, 'id' | 'place' | 'type'> {
  /** When it began; of a table when it was written. */
  readonly at: number;
  readonly endedAt?: number;
  /** unfinished: it runs, or was killed; unknown: it has no journal, as those of the original. */
  readonly state: 'finished' | 'interrupted' | 'unfinished' | 'unknown';
  /** Names of the duet.yml files. */
  readonly names: readonly string[];
  /** Runs of the plan, those that ended, and those of them that failed or ran into a timeout. */
  readonly planned: number;
  readonly done: number;
  readonly failed: number;
}

/** All duets of a home. */
export interface DuetList {
  readonly project: string;
  /** Newest first. */
  readonly duets: readonly DuetEntry[];
  /** Duets of which only the times were stored (duet process --store). */
  readonly stored: readonly Pick<Run, 'id' | 'label' | 'startedAt' | 'order'>[];
  /** Changes that were checked by a duet. */
  readonly ofChanges: readonly FollowedChange[];
}

const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;
const MAX_CHANGES = 1_000_000;
const MAX_RUNS = 1_000;

export async function readDuetList(
  home: string,
  { disk, store }: { readonly disk: Disk; readonly store: Store | undefined },
): Promise<DuetList> {
  const duets: DuetEntry[] = [];
  for (const place of await findHomeDuets(home, disk)) duets.push(await readDuetEntry(place, disk));
  const stored = (await store?.latestRuns({ kind: 'duet', limit: MAX_RUNS })) ?? [];
  const changes = (await store?.changes({ limit: MAX_CHANGES })) ?? [];
  const [run] = (await store?.latestRuns({ limit: 1 })) ?? [];
  return {
    project: run?.project ?? '',
    duets: duets.sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1)),
    stored: stored.map(({ id, label, startedAt, order }) => ({ id, label, startedAt, order })),
    ofChanges: changes.filter(({ duet }) => duet !== undefined),
  };
}

export async function readDuetEntry(place: DuetPlace, disk: Disk): Promise<DuetEntry> {
  const { id, place: where, type, path } = place;
  const events = await readDuetJournal(place, disk);
  const begin = events.find((event) => event.type === 'begin');
  const last = events.findLast((event) => event.type === 'end' || event.type === 'resume');
  const ends = new Map(
    events.flatMap((event) =>
      event.type === 'run-ended' ? [[`${event.config} ${event.index}`, event.record.outcome] as const] : [],
    ),
  );
  const outcomes = [...ends.values()];
  const files = events.flatMap((event) => (event.type === 'file' ? [event] : []));
  return {
    ...{ id, place: where, type },
    at: begin?.at ?? (await disk.stat(path))?.modifiedAt ?? 0,
    ...(last?.type === 'end' && { endedAt: last.at }),
    state: stateOf(begin !== undefined, last),
    names: files.map(({ name }) => name),
    planned: files.reduce((sum, { plan }) => sum + plan.length, 0),
    done: outcomes.filter((outcome) => outcome !== 'interrupted').length,
    failed: outcomes.filter((outcome) => outcome === 'failed' || outcome === 'timeout').length,
  };
}

/** Empty where there is none. */
export async function readDuetJournal(
  { path, type }: Pick<DuetPlace, 'path' | 'type'>,
  disk: Disk,
): Promise<readonly DuetJournalEvent[]> {
  if (type === 'table') return [];
  const limits = { maxBytes: MAX_JOURNAL_BYTES, within: path };
  return parseDuetJournal((await disk.readText(resultsFolder(path).journal, limits)) ?? '');
}

function stateOf(hasJournal: boolean, last: DuetJournalEvent | undefined): DuetEntry['state'] {
  if (!hasJournal) return 'unknown';
  if (last?.type !== 'end') return 'unfinished';
  return last.interrupted ? 'interrupted' : 'finished';
}

/** Where results of duets lie in a home. */
export interface DuetPlace {
  /** Names it in addresses: the name of the folder or table. */
  readonly id: string;
  readonly path: string;
  /** Relative to the home. */
  readonly place: string;
  /** A folder as `duet run` leaves it, or a table as `duet process` writes it. */
  readonly type: 'folder' | 'table';
}

/**
 * All that a home has: folders and tables in results/duets, and folders that `duet run` made in the home itself
 * (results.<date>-<time>). Links are not followed: they may lead out of the home.
 */
export async function findHomeDuets(home: string, disk: Disk): Promise<readonly DuetPlace[]> {
  const { duets } = homeLayout(home);
  const kept = (await disk.list(duets)).flatMap(({ name, type }): readonly DuetPlace[] => {
    const common = { id: name, path: joinPath(duets, name), place: `results/duets/${name}` };
    if (name.startsWith('.')) return [];
    if (type === 'folder') return [{ ...common, type }];
    return type === 'file' && name.endsWith('.csv') ? [{ ...common, type: 'table' }] : [];
  });
  const taken = new Set(kept.map(({ id }) => id));
  const own: DuetPlace[] = [];
  for (const { name, type } of await disk.list(home)) {
    if (type !== 'folder' || !name.startsWith('results.')) continue;
    const path = joinPath(home, name);
    if ((await disk.stat(resultsFolder(path).artifacts)) === undefined) continue;
    own.push({ id: taken.has(name) ? `${name}@home` : name, path, place: name, type });
  }
  return [...kept, ...own];
}

const COLUMNS = 'duet,names,place,began,ended,state,planned runs,done,failed\n';

/** Every duet of the home as a line; its verdicts are in the table of each. */
export function duetsCsv({ duets }: Pick<DuetList, 'duets'>): string {
  const lines = duets.map(({ id, names, place, at, endedAt, state, planned, done, failed }) => {
    const times = [at, endedAt].map((one) => (one === undefined ? '' : new Date(one).toISOString()));
    const counts = [planned, done, failed].map(String);
    return `${[id, names.join(' '), place, ...times, state, ...counts].map(plainCell).join(',')}\n`;
  });
  return COLUMNS + lines.join('');
}
