import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';

let packs = 0;

/** A name beside the archive that says who writes there. */
export function temporaryName(file: string): string {
  return `${file}.${process.pid}-${packs++}.tmp`;
}

/** Removes what killed processes left of this very archive; those of living ones are theirs. */
export function removeLeftovers(file: string): void {
  const start = `${basename(file)}.`;
  for (const name of fs.readdirSync(dirname(file))) {
    const pid = name.startsWith(start) && /^(\d+)-\d+\.tmp$/.exec(name.slice(start.length))?.[1];
    if (pid && !isAlive(Number(pid))) fs.rmSync(join(dirname(file), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
