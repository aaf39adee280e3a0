import type { Machine, Run, StageResult, Trial } from './run.ts';

/**
 * What a run records, one JSON object a line, before its next step begins. The journal is the source of truth: status
 * files, index and resume are made from it.
 */
export type JournalEvent =
  /** `options` are those of the command, so that a resumed night is the same night. */
  | {
      readonly type: 'begin';
      readonly run: Run;
      /** Absent where imported results do not have it. */
      readonly machine?: Machine;
      readonly options: RunOptions;
      readonly bootId?: string;
    }
  /** A step of the whole night that need not be done again. */
  | { readonly type: 'step'; readonly step: NightStep }
  | { readonly type: 'stage'; readonly result: StageResult }
  /** A point of a matrix, while the run stage of its experiment goes on. */
  | { readonly type: 'point'; readonly result: PointResult }
  | { readonly type: 'commits'; readonly task: string; readonly commits: Readonly<Record<string, string>> }
  /** The trial is not run, and why. */
  | { readonly type: 'skip'; readonly task: string; readonly kind: Trial['kind']; readonly reason: string }
  | { readonly type: 'resume'; readonly at: number; readonly bootId?: string }
  /** Where the results of an import are from. */
  | {
      readonly type: 'import';
      readonly file: string;
      readonly format: string;
      readonly failed: readonly string[];
      readonly skipped: readonly string[];
      readonly branch?: string;
    }
  /** All above, and what the scripts wrote for it, is on disk. */
  | { readonly type: 'flushed' }
  | { readonly type: 'end'; readonly run: Run; readonly trials: readonly Trial[] };

/** How a point of a matrix ended. */
export interface PointResult {
  readonly task: string;
  /** Its folder below the output of the run. */
  readonly folder: string;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly attempts: number;
  /** The node of a cluster that it ran on. */
  readonly host?: string;
  /** Why it failed. */
  readonly message?: string;
}

export interface RunOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** false: sources are taken as they were built last. */
  readonly build: boolean;
}

export type NightStep = 'backup-before' | 'clean' | 'archive';

/** Reads a journal. A line that a crash cut off is ignored: its work is done again. */
export function parseJournal(text: string): readonly JournalEvent[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalEvent];
    } catch {
      return [];
    }
  });
}

/**
 * The events that hold. A line survives the end of the process that wrote it, but only what was flushed survives the
 * end of the machine: where another boot follows, what was not flushed may name files that do not exist.
 */
export function trustedEvents(
  events: readonly JournalEvent[],
  bootId: string | undefined,
): readonly JournalEvent[] {
  let trusted: JournalEvent[] = [];
  let lastBoot: string | undefined;
  const follow = (boot: string | undefined) => {
    const isSame = boot !== undefined && boot === lastBoot;
    if (!isSame) trusted = trusted.slice(0, trusted.findLastIndex(({ type }) => type === 'flushed') + 1);
    lastBoot = boot;
  };
  for (const event of events) {
    if (event.type === 'begin') lastBoot = event.bootId;
    if (event.type === 'resume') follow(event.bootId);
    trusted.push(event);
  }
  follow(bootId);
  return trusted;
}
