import type { Workload } from '../../../formats/core/kpi/workload.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { joinPath, resolvePath } from '../../../platform/core/path.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import type { Filters } from '../../core/filters.ts';

/** Which tree to read, and how. */
export interface ParseRequest {
  /** Absolute. */
  readonly dir: string;
  /** The folder as the user named it: locations begin with it. */
  readonly label: string;
  readonly workload: Workload;
  readonly filters: Filters;
  /** Folders above the results whose settings are inherited; see `parentFolders`. */
  readonly parents: readonly string[];
  readonly isCompat: boolean;
  readonly usesCache: boolean;
  /** Tests that are read at a time. */
  readonly jobs: number;
}

/**
 * The folders above the results whose settings the original tool reads: those in the path as the user wrote it. A relative
 * path starts at the working directory, an absolute one at "/".
 */
export function parentFolders(label: string, cwd: string): readonly string[] {
  const parts = label.split('/').filter((part) => part !== '' && part !== '.');
  const start = label.startsWith('/') ? '/' : cwd;
  return parts.map((_, length) => resolvePath(start, parts.slice(0, length).join('/')));
}

/** The path of a test directory, as the user named the results. */
export function locationOf({ label }: Pick<ParseRequest, 'label'>, path: string): string {
  const named = label.replace(/^(\.\/+)+|^\.$/, '').replace(/(.)\/+$/, '$1');
  return joinPath(named, path) || '.';
}

export interface MatrixEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** Throws a NightmarkError that says line and column. */
  parseYaml(text: string): JsonValue;
}

/** The result of reading a tree. Counts are complete; only the first problems are kept. */
export interface ParseReport {
  /** Test directories that were found. */
  readonly tests: number;
  /** Read completely. */
  readonly complete: number;
  /** Read, but something was missing or broken. */
  readonly partial: number;
  /** Not read: no exit code yet, or marked to be skipped. */
  readonly unfinished: number;
  /** Not read: settings or folder that cannot be read, or a workload that failed. */
  readonly broken: number;
  readonly filtered: number;
  /** Entries left out because another one has the same settings. */
  readonly duplicates: number;
  /** Entries that the workload left out. */
  readonly leftOut: number;
  readonly entries: number;
  readonly gathered: number;
  /** Tests whose fields came from the cache. */
  readonly cached: number;
  readonly problems: readonly ParseProblem[];
  /** Number of problems that were not kept. */
  readonly moreProblems: number;
}

export interface ParseProblem {
  readonly kind: 'partial' | 'unfinished' | 'broken' | 'duplicate' | 'note';
  readonly location: string;
  readonly reason: string;
}

type Counts = Omit<ParseReport, 'problems' | 'moreProblems'>;
export type ReportCounts = { -readonly [Key in keyof Counts]: number };

export interface ReportBuilder {
  readonly counts: ReportCounts;
  add(problem: ParseProblem): void;
  /** Once for each key. */
  note(key: string, problem: Omit<ParseProblem, 'kind'>): void;
  finish(): ParseReport;
}

const MAX_NAMED = 1_000;

export function createReport(): ReportBuilder {
  const problems: ParseProblem[] = [];
  const noted = new Set<string>();
  let more = 0;
  const counts: ReportCounts = {
    ...{ tests: 0, complete: 0, partial: 0, unfinished: 0, broken: 0, filtered: 0 },
    ...{ duplicates: 0, leftOut: 0, entries: 0, gathered: 0, cached: 0 },
  };
  const add = (problem: ParseProblem) => {
    if (problems.length < MAX_NAMED) problems.push(problem);
    else more++;
  };
  return {
    counts,
    add,
    note(key, problem) {
      if (noted.has(key)) return;
      noted.add(key);
      add({ kind: 'note', ...problem });
    },
    finish: () => ({ ...counts, problems, moreProblems: more }),
  };
}

/** Why a tree has no entry, in one sentence. */
export function emptyReason({ tests, filtered, unfinished, broken, leftOut }: ParseReport): string {
  if (tests === 0) return 'No folder in it has a settings file (settings, settings.yaml) or the marker.';
  const parts = [
    filtered > 0 && `${filtered} filtered out`,
    unfinished > 0 && `${unfinished} without a usable exit_code, or to be skipped`,
    broken > 0 && `${broken} broken`,
    leftOut > 0 && `${leftOut} left out by the workload or the filter`,
  ].filter((part) => part !== false);
  return `Of ${tests} test directories: ${parts.join(', ') || 'none gave an entry'}.`;
}
