import { readdirSync, readFileSync } from 'node:fs';

/** Ends what carries the token, wherever it went: a daemon leaves its group, but takes its environment along. */
export function endEscaped(token: string): number {
  if (process.platform !== 'linux') return 0;
  let count = 0;
  for (const name of readdirSync('/proc')) {
    const isOther = /^\d+$/.test(name) && Number(name) !== process.pid;
    if (!isOther || !hasEntry(name, `NIGHTMARK_TOKEN=${token}`)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
      count++;
    } catch {
      // Gone between the look and the signal.
    }
  }
  return count;
}

function hasEntry(pid: string, entry: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${entry}\0`);
  } catch {
    return false;
  }
}
