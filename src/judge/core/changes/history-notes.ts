import type { Outcome } from '../../../home/core/store.ts';

/** A run from which on something else was measured, or elsewhere. */
export interface HistoryNote {
  readonly runId: string;
  readonly at: number;
  readonly kind: 'machine' | 'sources' | 'commit';
  /** "machine bench-2", "repo 6de6d63". */
  readonly text: string;
}

/** With more commits than this a chart is full of lines: the pointer shows them then. */
const MOST_COMMITS = 8;
/** Machines that take turns are not noted. */
const MOST = 40;

/**
 * Where another machine was used, where the sources are others, and, when they are few, where a commit is another.
 * A run without this information is skipped.
 */
export function historyNotes(
  outcomes: readonly Pick<Outcome, 'runId' | 'at' | 'machineId' | 'commits'>[],
  machineName: (id: string) => string,
): readonly HistoryNote[] {
  const notes: HistoryNote[] = [];
  let machine: string | undefined;
  let commits: Outcome['commits'] = {};
  for (const { runId, at, machineId, commits: now } of outcomes) {
    if (machineId !== undefined) {
      if (machine !== undefined && machine !== machineId)
        notes.push({ runId, at, kind: 'machine', text: `machine ${machineName(machineId)}` });
      machine = machineId;
    }
    const names = Object.keys(now).sort();
    if (names.length === 0) continue;
    const before = Object.keys(commits).sort();
    if (before.length > 0 && names.join('\n') !== before.join('\n'))
      notes.push({ runId, at, kind: 'sources', text: `from ${names.join(', ')}` });
    else if (before.length > 0) {
      const other = names.filter((name) => now[name] !== commits[name]);
      if (other.length > 0)
        notes.push({
          runId,
          at,
          kind: 'commit',
          text: other.map((name) => `${name} ${now[name]}`).join(', '),
        });
    }
    commits = now;
  }
  const few = (kind: HistoryNote['kind'], most: number) => {
    const found = notes.filter((note) => note.kind === kind);
    return found.length <= most ? found : [];
  };
  return [...few('machine', MOST), ...few('sources', MOST), ...few('commit', MOST_COMMITS)].sort(
    (a, b) => a.at - b.at,
  );
}
