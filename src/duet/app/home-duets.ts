import { homeLayout } from '../../home/core/home-layout.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { resultsFolder } from './run-folder.ts';

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
