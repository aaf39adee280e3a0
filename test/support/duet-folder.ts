import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuetJournalEvent } from '../../src/duet/core/duet-journal.ts';

/** A folder with duet.yml files, for one test. */
export interface DuetFolder {
  readonly dir: string;
  path(name: string): string;
  write(name: string, text: string): string;
  read(name: string): string;
  /** Names below a folder, sorted, without ours. */
  list(name: string): readonly string[];
  journal(results: string): readonly DuetJournalEvent[];
}

export function duetFolder(): DuetFolder {
  const dir = fs.mkdtempSync(join(tmpdir(), 'nightmark-duet-'));
  const path = (name: string) => join(dir, name);
  return {
    dir,
    path,
    write(name, text) {
      fs.writeFileSync(path(name), text);
      return path(name);
    },
    read: (name) => fs.readFileSync(path(name), 'utf8'),
    list: (name) =>
      fs
        .readdirSync(path(name))
        .filter((entry) => entry !== '.nightmark')
        .sort(),
    journal: (results) =>
      fs
        .readFileSync(join(path(results), '.nightmark/journal.ndjson'), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as DuetJournalEvent])),
  };
}

/** Waits for something to come true; the test's own timeout ends it otherwise. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
