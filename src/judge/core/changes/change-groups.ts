import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';

/** What happened at one place: the changes of several series that begin with the same commits, or with the same run. */
export interface ChangeGroup {
  readonly key: string;
  /** As they were given; never empty. */
  readonly changes: readonly [FollowedChange, ...FollowedChange[]];
}

/** Changes of one commit are one event. Groups come in the order of their first changes. */
export function groupChanges(changes: readonly FollowedChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, [FollowedChange, ...FollowedChange[]]>();
  for (const change of changes) {
    const key = groupKey(change);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups].map(([key, own]) => ({ key, changes: own }));
}

/**
 * By the commits that they begin with, whatever was measured last before: experiments of one source may have run on
 * different nights. Without commits, by their run. A machine is an event of its own.
 */
export function groupKey({ id, series, sources = [], runId }: FollowedChange): string {
  if (series.kind === 'machine') return `machine ${id}`;
  if (sources.length === 0) return `run ${runId}`;
  return sources
    .map(({ source, after }) => `${source} ${after}`)
    .sort()
    .join(', ');
}
