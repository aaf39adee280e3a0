import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Implementation } from '../core/home.ts';

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
    if (await isFolder(dir, disk)) return dir;
  }
  return undefined;
}

/** A folder that we may not look into, or whose name the system refuses, is none that holds an implementation. */
export async function isFolder(path: string, disk: Disk): Promise<boolean> {
  try {
    return (await disk.stat(path))?.type === 'folder';
  } catch (error) {
    if (error instanceof NightmarkError) return false;
    throw error;
  }
}
