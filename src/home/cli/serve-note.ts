import { isAlive } from '../../platform/cli/worker-identity.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Worker } from '../../platform/core/lock.ts';
import { joinPath } from '../../platform/core/path.ts';
import { homeLayout } from '../core/home-layout.ts';

/** What a server leaves in its home while it runs, so that workers find it. */
export interface ServeNote extends Worker {
  readonly url: string;
}

type Effects = { readonly disk: Disk; readonly hostName: string };

export async function writeServeNote(home: string, note: ServeNote, { disk }: Effects): Promise<void> {
  await disk.writeText(noteFile(home), `${JSON.stringify(note)}\n`);
}

/** Removes it, unless another server has written its own. */
export async function removeServeNote(home: string, pid: number, effects: Effects): Promise<void> {
  if ((await readNote(home, effects))?.pid === pid) await effects.disk.remove(noteFile(home));
}

/** The note of a server of this machine that lives. */
export async function readServeNote(home: string, effects: Effects): Promise<ServeNote | undefined> {
  const note = await readNote(home, effects);
  return note && isAlive(note, effects.hostName) === true ? note : undefined;
}

async function readNote(home: string, { disk }: Effects): Promise<ServeNote | undefined> {
  try {
    const text = (await disk.readText(noteFile(home))) ?? '{}';
    const { url, pid, host, incarnation = '' } = JSON.parse(text) as Partial<ServeNote>;
    return url !== undefined && pid !== undefined && host !== undefined
      ? { url, pid, host, incarnation }
      : undefined;
  } catch {
    return undefined;
  }
}

function noteFile(home: string): string {
  return joinPath(homeLayout(home).own, 'serve.json');
}
