import type { IterationReading } from '../../formats/core/format.ts';
import { dirName, joinPath } from '../../platform/core/path.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import type { ResultFolder } from './find-results.ts';

/** What came of it: counts are complete, of the names only the first are kept. */
export interface ProcessReport {
  readonly files: number;
  readonly rows: number;
  readonly failedFiles: number;
  readonly failedRows: number;
  /** Entries whose names are not those of results. */
  readonly strays: number;
  /** One line each: broken files, rows that could not be read, strays, and what else a reader should know. */
  readonly problems: readonly ProcessProblem[];
}

export interface ProcessProblem {
  readonly kind: 'file' | 'row' | 'stray' | 'note';
  readonly file: string;
  readonly reason: string;
}

const MAX_NAMED = 1_000;

export interface ReportBuilder {
  fail(path: string, reason: string): void;
  read(path: string, reading: IterationReading): void;
  finish(): ProcessReport;
}

export function createReport(folders: readonly ResultFolder[]): ReportBuilder {
  const problems: ProcessProblem[] = [];
  const counts = { files: 0, rows: 0, failedFiles: 0, failedRows: 0, strays: 0 };
  const ofHarness = new Map<string, number>();
  const add = (kind: ProcessProblem['kind'], file: string, reason: string) => {
    if (problems.length < MAX_NAMED) problems.push({ kind, file, reason });
  };
  return {
    fail(path, reason) {
      counts.failedFiles++;
      add('file', path, reason);
    },
    read(path, { numbers, failed, notes, clock, starts }) {
      counts.files++;
      counts.rows += numbers.length;
      counts.failedRows += failed.length;
      for (const reason of failed) add('row', path, reason);
      for (const reason of notes) add('note', path, reason);
      if (clock === 'harness' && starts !== undefined) count(ofHarness, dirName(path));
    },
    finish() {
      for (const [dir, files] of ofHarness) {
        const { beganAt } = folders.find((folder) => folder.dir === dir) ?? {};
        const what =
          beganAt === undefined
            ? 'and there is no usable artifact "date"'
            : 'to which the artifact "date" is added';
        add(
          'note',
          dir,
          `${plainly(counted(files, 'file'))} with moments counted from the start of the harness, ${what}: A and B are not in step`,
        );
      }
      for (const { dir, strays } of folders) {
        counts.strays += strays.length;
        for (const name of strays) add('stray', joinPath(dir, name), STRAY);
      }
      return { ...counts, problems };
    },
  };
}

const STRAY = 'its name is not <suite>.<benchmark>.<runid>.<type>.<order>.<pair>.<file>: left out';

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
