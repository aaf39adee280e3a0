import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { parseNightLabel } from '../../platform/core/text/times.ts';
import type { Home, KeepRule } from '../core/home.ts';
import { homeLayout, labelOfBackup, labelOfRawArchive } from '../core/home-layout.ts';

interface Effects {
  readonly disk: Disk;
  readonly clock: Clock;
}

/**
 * Removes what the home keeps no longer, oldest first: backups and raw archives, recognised by their names, and the logs
 * of runs. The newest of each kind stays, whatever the rules are. Returns the removed paths.
 */
export async function applyRetention(home: Home, effects: Effects): Promise<readonly string[]> {
  const { retention, folders } = home;
  const removed: string[] = [];
  for (const [rule, find] of [
    [retention.backups, () => findArchives(folders.backup, labelOfBackup, effects)],
    [retention.raw, () => findArchives(folders.tmp, labelOfRawArchive, effects)],
    [retention.logs, () => findLogs(home.dir, effects.disk)],
  ] as const) {
    if (rule.count === undefined && rule.ageMs === undefined) continue;
    for (const { path } of outdated(await find(), rule, effects.clock.now())) {
      await effects.disk.remove(path);
      removed.push(path);
    }
  }
  return removed;
}

interface Kept {
  readonly path: string;
  readonly at: number;
}

function outdated(oldestFirst: readonly Kept[], { count, ageMs }: KeepRule, now: number): readonly Kept[] {
  return oldestFirst.filter(({ at }, index) => {
    const newer = oldestFirst.length - 1 - index;
    const isTooMany = count !== undefined && newer >= count;
    const isTooOld = ageMs !== undefined && now - at > ageMs;
    return newer > 0 && (isTooMany || isTooOld);
  });
}

async function findArchives(
  dir: string,
  labelOf: (name: string) => string | undefined,
  { disk, clock }: Effects,
): Promise<readonly Kept[]> {
  const found: (Kept & { readonly order: number })[] = [];
  for (const { name, type } of await disk.list(dir)) {
    const label = labelOf(name);
    if (type !== 'file' || label === undefined) continue;
    const path = joinPath(dir, name);
    const wall = parseNightLabel(label);
    // The label is the time of the night; the file may have been copied since.
    const at = wall ? clock.fromWall(wall) : ((await disk.stat(path))?.modifiedAt ?? clock.now());
    found.push({ path, at, order: orderInMinute(name) });
  }
  return found.sort((a, b) => a.at - b.at || a.order - b.order);
}

/** Ids of runs sort by time, and so does the list. */
async function findLogs(home: string, disk: Disk): Promise<readonly Kept[]> {
  const { runs, current } = homeLayout(home);
  const running = (await disk.readText(current))?.trim();
  const found: Kept[] = [];
  for (const { name, type } of await disk.list(runs)) {
    if (type !== 'folder' || name === running) continue;
    const entries = await disk.list(joinPath(runs, name));
    if (!entries.some((entry) => entry.name === 'logs' && entry.type === 'folder')) continue;
    const path = joinPath(runs, name, 'logs');
    found.push({ path, at: (await lastWrite(joinPath(runs, name), disk)) ?? 0 });
  }
  return found;
}

async function lastWrite(run: string, disk: Disk): Promise<number | undefined> {
  const facts =
    (await disk.stat(joinPath(run, 'journal.ndjson'))) ?? (await disk.stat(joinPath(run, 'logs')));
  return facts?.modifiedAt;
}

/** The second night of a minute ("-2") comes after the first, and "_after" after the backup before its night. */
function orderInMinute(name: string): number {
  const repeat = /-\d{4}-\d{4}-(\d+)[_.]/.exec(name)?.[1] ?? '1';
  return Number(repeat) * 2 + (name.endsWith('_after.tar.gz') ? 1 : 0);
}
