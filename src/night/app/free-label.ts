import type { Home } from '../../home/core/home.ts';
import { backupName, homeLayout } from '../../home/core/home-layout.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { rawPlaces } from './raw-places.ts';

/** A label that names no earlier night's files: two nights in one minute must not overwrite each other. */
export async function freeLabel(home: Home, label: string, disk: Disk): Promise<string> {
  const layout = homeLayout(home.dir);
  const experiments = home.tasks.filter(({ kind }) => kind === 'experiment');
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? label : `${label}-${count}`;
    const { dir, archive } = rawPlaces(home, candidate);
    const taken = [
      dir,
      archive,
      joinPath(home.folders.backup, backupName(candidate, 'before')),
      ...experiments.map(({ name }) => joinPath(layout.data(name), `data_${candidate}.json`)),
    ];
    const found = await Promise.all(taken.map((path) => disk.stat(path)));
    if (found.every((facts) => facts === undefined)) return candidate;
  }
}
