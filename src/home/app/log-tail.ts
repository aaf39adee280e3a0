import type { Disk } from '../../platform/core/disk.ts';

/** The last lines of a log, for the message of a failure. */
export async function lastLines(disk: Disk, file: string, count: number): Promise<string> {
  const text = (await disk.readText(file)) ?? '';
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
