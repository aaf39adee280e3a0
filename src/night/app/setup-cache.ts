import type { Task } from '../../home/core/home.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { pythonJson } from '../../platform/core/text/json.ts';

/** Written by setups themselves, by version control or by interpreters: no part of what an experiment is. */
const IGNORED = /^(setup|\.git|__pycache__)$|\.pyc$/;

/** The key under which a setup is valid: the content of the experiment and of its configuration, whatever the dates. */
export async function setupKey(task: Task, disk: Disk): Promise<string> {
  const { implementation, configDir } = task;
  const roots =
    implementation.type === 'scripts' && implementation.dir !== undefined ? [implementation.dir] : [];
  const files = await disk.fingerprint([...roots, configDir], (name) => IGNORED.test(name));
  if (implementation.type !== 'commands') return files;
  return `${files} ${pythonJson({ ...implementation.commands })}`;
}

/** True when the setup folder was filled under this key. */
export async function isSetUp(folder: string, key: string, disk: Disk): Promise<boolean> {
  const marker = await disk.readText(markerIn(folder));
  return marker?.trim() === key;
}

export async function markSetUp(folder: string, key: string, disk: Disk): Promise<void> {
  await disk.writeText(markerIn(folder), `${key}\n`, { durable: true });
}

/** The original's name; it holds our key where the original only touched it. */
function markerIn(folder: string): string {
  return joinPath(folder, '.last_setup');
}
