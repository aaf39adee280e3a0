import type { Implementation } from '../core/model/home.ts';
import { joinPath } from '../core/path.ts';
import type { Disk } from '../core/ports/disk.ts';

/** Subsystems that are part of Nightmark, by each of their names. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['deadline', 'deadline'],
  ['exp_results', 'exp_results'],
  ['exp_reports', 'exp_results'],
  ['subsys_reporter', 'subsys_reporter'],
  ['stat_alert', 'stat_alert'],
  ['stat_alerts', 'stat_alert'],
  ['score', 'score'],
  ['website', 'website'],
  ['vis_telemetry', 'vis_telemetry'],
  ['post_process', 'post_process'],
]);

export const BUILT_IN_NAMES: readonly string[] = [...BUILT_IN.keys()];

/** The built-in subsystem of that name. */
export function builtIn(name: string): Implementation | undefined {
  const id = BUILT_IN.get(name);
  return id === undefined ? undefined : { type: 'built-in', id };
}

/** The first folder of the search path that holds a folder of that name. */
export async function findFolder(
  name: string,
  searched: readonly string[],
  disk: Disk,
): Promise<string | undefined> {
  for (const folder of searched) {
    const dir = joinPath(folder, name);
    if ((await disk.stat(dir))?.type === 'folder') return dir;
  }
  return undefined;
}
