import type { RunLine, RunList } from '../../app/runs/list-runs.ts';

/** Pages of runs that were fetched so far, as one list. */
export interface RunPages {
  /** Newest first. */
  readonly lines: readonly RunLine[];
  /** Where the next, older page begins; absent where there is none, or nothing was fetched. */
  readonly next?: number;
  /** Whether a page after the first one is there. */
  readonly isLonger: boolean;
}

export const EMPTY_PAGES: RunPages = { lines: [], isLonger: false };

/**
 * Adds a page. The first one comes again and again, with runs that are new or have changed: what it pushes out at its
 * end stays, as it is known.
 */
export function addPage(known: RunPages, { runs, nextBefore }: RunList, isFirst: boolean): RunPages {
  const lines = new Map(known.lines.map((line) => [line.run.id, line]));
  for (const line of runs) lines.set(line.run.id, line);
  const sorted = [...lines.values()].sort(
    (a, b) => b.run.startedAt - a.run.startedAt || (a.run.id < b.run.id ? 1 : -1),
  );
  const next = isFirst && known.isLonger ? known.next : nextBefore;
  return { lines: sorted, isLonger: known.isLonger || !isFirst, ...(next !== undefined && { next }) };
}
