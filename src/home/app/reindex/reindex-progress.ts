import type { PointColumns, SampleSet, SeriesValue } from '../../../formats/core/sample.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk, DiskEntry } from '../../../platform/core/disk.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { Store } from '../../core/store.ts';

export interface ReindexEffects {
  readonly disk: Disk;
  readonly store: Store;
  readonly clock: Clock;
  /** Gets a line now and then. */
  readonly report?: (line: string) => void;
  /** Gives units and directions of an inline experiment's values. */
  readonly sampleValues?: (experiment: string, samples: readonly SampleSet[]) => readonly SeriesValue[];
  /** Reads a telemetry file; without it telemetry is not indexed. */
  readonly readTelemetry?: (
    text: string,
    origin: { readonly kind: 'cpu' | 'gpu'; readonly experiment: string; readonly startedAt: number },
  ) => { readonly columns: readonly PointColumns[] };
}

export interface ReindexReport {
  readonly runs: number;
  readonly journals: number;
  readonly dataFiles: number;
  readonly values: number;
  readonly sampleFiles: number;
  readonly telemetryFiles: number;
  readonly payloads: number;
  /** Changes of the ledger. */
  readonly changes: number;
  readonly failed: number;
  /** The first of the files that could not be used, and of the numbers that were left out. */
  readonly problems: readonly ReindexProblem[];
}

interface ReindexProblem {
  readonly file: string;
  readonly reason: string;
}

/** What a label stands for. */
export interface LabelledRun {
  readonly id: string;
  readonly startedAt: number;
}

type Counter =
  | 'journals'
  | 'dataFiles'
  | 'values'
  | 'sampleFiles'
  | 'telemetryFiles'
  | 'payloads'
  | 'changes';

export interface ReindexProgress {
  readonly home: string;
  /** Runs that have a journal, by label: a hundred bytes a night, the one thing that grows with the history. */
  readonly labels: Map<string, LabelledRun>;
  count(counter: Counter, by?: number): void;
  /** Part of a file was left out. */
  note(file: string, reason: string): void;
  /** Runs the work on one file; its failure is that of the file alone. */
  attempt<T>(file: string, work: () => Promise<T>): Promise<T | undefined>;
  finish(): Promise<ReindexReport>;
}

const MAX_NAMED = 1_000;
const REPORT_EVERY = 2_000;

export function beginReindex(home: string, { store, report }: ReindexEffects): ReindexProgress {
  const counts = {
    journals: 0,
    dataFiles: 0,
    values: 0,
    sampleFiles: 0,
    telemetryFiles: 0,
    payloads: 0,
    changes: 0,
  };
  const problems: ReindexProblem[] = [];
  let failed = 0;
  let files = 0;
  const note = (file: string, reason: string) => {
    if (problems.length < MAX_NAMED) problems.push({ file: relativeTo(home, file), reason });
  };
  return {
    home,
    labels: new Map(),
    note,
    count: (counter, by = 1) => {
      counts[counter] += by;
    },
    async attempt(file, work) {
      files++;
      if (files % REPORT_EVERY === 0) report?.(`${files} files read`);
      try {
        return await work();
      } catch (error) {
        failed++;
        note(file, messageOf(error));
        return undefined;
      }
    },
    finish: async () => ({ runs: await store.countRuns(), ...counts, failed, problems }),
  };
}

function relativeTo(home: string, file: string): string {
  return file.startsWith(`${home}/`) ? file.slice(home.length + 1) : file;
}

/** Names of the folders below; a folder that cannot be listed is a problem of its own. */
export async function foldersIn(
  dir: string,
  disk: Disk,
  progress: ReindexProgress,
): Promise<readonly string[]> {
  return namesIn(dir, disk, progress, ({ type }) => type === 'folder' || type === 'link');
}

export async function filesIn(
  dir: string,
  disk: Disk,
  progress: ReindexProgress,
): Promise<readonly string[]> {
  const names = await namesIn(dir, disk, progress, ({ type }) => type === 'file' || type === 'link');
  // Left by a write that was cut off, never part of the results.
  return names.filter((name) => !name.startsWith('.nightmark-'));
}

/** A file that must be there, below the size, and in this folder also behind a link. */
export async function readWhole(dir: string, name: string, disk: Disk, maxBytes: number): Promise<string> {
  const text = await disk.readText(joinPath(dir, name), { maxBytes, within: dir });
  if (text === undefined) throw new Error('It is not there, or leads nowhere.');
  return text;
}

/** A transaction for every few hundred files: each costs a flush, and all at once would hold back readers' view. */
export async function inGroups<T>(
  store: Store,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP) {
    await store.together(async () => {
      for (const item of items.slice(start, start + GROUP)) await work(item);
    });
  }
}

const GROUP = 300;

async function namesIn(
  dir: string,
  disk: Disk,
  progress: ReindexProgress,
  isWanted: (entry: DiskEntry) => boolean,
): Promise<readonly string[]> {
  const entries = await progress.attempt(dir, () => disk.list(dir));
  return (entries ?? []).filter(isWanted).map(({ name }) => name);
}
