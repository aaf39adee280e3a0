import { matchesRun, type RunFilter } from '../../../home/core/run-filter.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import type { RunLine } from '../../app/list-runs.ts';

/** The server has filtered by all names of a run; a line has only the first ones, which a static site has to do with. */
export function isShown({ run, machine, tasks, failed, commits }: RunLine, filter: RunFilter): boolean {
  if (theSource().isLive) return true;
  const hashes = Object.fromEntries(
    Object.entries(commits).map(([source, list]) => [source, list.join(' ')]),
  );
  const trials = [
    ...tasks.map((task) => ({ task, state: 'succeeded' as const, commits: hashes })),
    ...failed.map((task) => ({ task, state: 'failed' as const, commits: hashes })),
  ];
  return matchesRun({ run, trials, ...(machine !== undefined && { machine }) }, filter);
}
