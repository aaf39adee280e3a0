import type { Exit } from '../../executors/core/executor.ts';
import type { Measures } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { PlannedRun, ResultName } from './duet.ts';
import { parseResultName } from './result-name.ts';

/**
 * What a run of duet.yml files writes down beside its results, in DIR/.nightmark/journal.ndjson: one JSON object a line,
 * each written before anything is built on it. Files are identified by the hash of their text.
 */
export type DuetJournalEvent =
  | {
      readonly type: 'begin';
      readonly at: number;
      readonly runId: string;
      readonly version: string;
      readonly machineId: string;
    }
  /** A further start into the same folder, with an id of its own. */
  | { readonly type: 'resume'; readonly at: number; readonly runId: string; readonly version: string }
  | DuetFileRecord
  | {
      readonly type: 'artifact';
      readonly config: string;
      readonly name: string;
      readonly command: string;
      readonly exit: Exit;
    }
  | { readonly type: 'run-started'; readonly config: string; readonly index: number; readonly at: number }
  | {
      readonly type: 'run-ended';
      readonly config: string;
      readonly index: number;
      readonly record: DuetRunRecord;
    }
  | { readonly type: 'end'; readonly at: number; readonly interrupted: boolean };

/** A file that is run: all that is needed to run it again. */
export interface DuetFileRecord {
  readonly type: 'file';
  readonly file: string;
  readonly name: string;
  /** SHA-256 of the text. */
  readonly config: string;
  readonly text: string;
  readonly seed: number;
  readonly engine: string;
  readonly filter: readonly string[];
  readonly plan: readonly PlannedRun[];
}

export interface DuetRunRecord {
  readonly run: PlannedRun;
  readonly startedAt: number;
  readonly endedAt: number;
  /** timeout: at least one side was stopped; interrupted: to be done again. */
  readonly outcome: 'done' | 'failed' | 'timeout' | 'interrupted';
  readonly sides: Readonly<Partial<Record<Side, DuetSideRecord>>>;
  readonly problems: readonly DuetRunProblem[];
}

export interface DuetSideRecord {
  readonly image?: string;
  readonly digest?: string;
  /** Absent when it was not started. */
  readonly exit?: Exit;
  /** Of the whole command, from its start to its end: seconds. */
  readonly measures?: Readonly<Partial<Measures>>;
  /** Names of result files, relative to the folder. */
  readonly fetched: readonly string[];
  /** Paths that were to be fetched and could not. */
  readonly missing: readonly string[];
  /** Relative to the folder; absent when nothing was printed. */
  readonly log?: string;
}

/** RUN: a side could not be run or failed; RESULTS: a result is missing; CLEANUP: something may be left. */
export interface DuetRunProblem {
  readonly kind: 'TIMEOUT' | 'RUN' | 'RESULTS' | 'CLEANUP';
  readonly text: string;
}

/** CPU seconds of the sides of all runs in a journal, by suite, benchmark, type and number of the run; the newest counts. */
export function cpuOfRuns(events: readonly DuetJournalEvent[]): ReadonlyMap<string, SideSeconds> {
  const found = new Map<string, SideSeconds>();
  for (const event of events) {
    if (event.type !== 'run-ended') continue;
    for (const [side, { fetched, measures }] of Object.entries(event.record.sides)) {
      const name = fetched[0] === undefined ? undefined : parseResultName(fetched[0], { lenient: true });
      if (!name || measures?.cpu === undefined) continue;
      const key = runKey(name);
      found.set(key, { ...found.get(key), [side]: measures.cpu });
    }
  }
  return found;
}

type SideSeconds = Readonly<Partial<Record<Side, number>>>;

/** A run among those of one folder. */
export function runKey({
  suite,
  benchmark,
  type,
  runid,
}: Pick<ResultName, 'suite' | 'benchmark' | 'type' | 'runid'>): string {
  return JSON.stringify([suite, benchmark, type, runid]);
}

/** A line that a crash cut off is skipped: that run is done again. */
export function parseDuetJournal(text: string): readonly DuetJournalEvent[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as DuetJournalEvent];
    } catch {
      return [];
    }
  });
}
