import type { MatrixEntry, Settings } from '../../formats/core/kpi/matrix-entry.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { passesFilters } from '../core/filters.ts';
import { createKeyBook, type KeyBook } from '../core/key-book.ts';
import type { ParseReport, ReportBuilder } from './parse-report.ts';
import type { ParseRequest } from './parse-request.ts';
import type { ReadTest } from './read-test.ts';

/** Makes the entries of tests as they come: filtered, rewritten, and each settings once. */
export interface EntryMaker {
  make(test: ReadTest): readonly MatrixEntry[];
}

export function createEntryMaker(request: ParseRequest, report: ReportBuilder): EntryMaker {
  const imported = createKeyBook(request.isCompat);
  const rewritten = createKeyBook(request.isCompat);
  const { workload, filters, isCompat } = request;
  const passes = (settings: Settings) => passesFilters(settings, filters, isCompat);
  const leaveOut = () => {
    report.counts.leftOut++;
    return undefined;
  };
  const entryOf = (test: ReadTest, part: Part): MatrixEntry | undefined => {
    const { location, exitCode } = test.folder;
    if (!passes(part.settings)) return leaveOut();
    if (!isFirst(imported, part.settings, { location, report })) return undefined;
    let settings: Settings | undefined = part.settings;
    if (workload.rewriteSettings) {
      settings = workload.rewriteSettings(part.settings, part.results);
      if (settings === undefined || !passes(settings)) return leaveOut();
      if (!isFirst(rewritten, settings, { location, report })) return undefined;
    }
    const { results } = part;
    return { location, settings, importSettings: part.settings, exitCode, results, problems: test.problems };
  };
  return {
    make: (test) => partsOf(test, workload).flatMap((part) => entryOf(test, part) ?? []),
  };
}

interface Part {
  readonly settings: Settings;
  readonly results: ReadTest['results'];
}

function partsOf(
  { folder: { settings }, results }: ReadTest,
  workload: ParseRequest['workload'],
): readonly Part[] {
  if (!workload.split) return [{ settings, results }];
  return workload
    .split(results, settings)
    .map((part) => ({ settings: { ...settings, ...part.settings }, results: part.results }));
}

function isFirst(
  book: KeyBook,
  settings: Settings,
  { location, report }: { readonly location: string; readonly report: ReportBuilder },
): boolean {
  const claimed = book.claim(settings, location);
  if (claimed.state === 'taken') {
    report.counts.duplicates++;
    const reason = `left out: ${claimed.by} has the same settings (${claimed.key})`;
    report.tell({ kind: 'duplicate', location, reason });
    return false;
  }
  if (claimed.lookalike !== undefined) {
    const reason = `${claimed.lookalike} has the same settings but for types, as 4 and "4" (${claimed.key})`;
    report.tell({ kind: 'note', location, reason });
  }
  return true;
}

/** One sentence for a tree without any entry: what was there instead. */
export function whyEmpty({ tests, filtered, unfinished, broken, leftOut }: ParseReport): string {
  if (tests === 0) return 'No folder in it has a settings file (settings, settings.yaml) or the marker.';
  const parts = [
    filtered > 0 && `${filtered} filtered out`,
    unfinished > 0 && `${unfinished} without a usable exit_code, or to be skipped`,
    broken > 0 && `${broken} broken`,
    leftOut > 0 && `${leftOut} left out by the workload or the filter`,
  ].filter((part) => part !== false);
  return `Of ${tests} test directories: ${parts.join(', ') || 'none gave an entry'}.`;
}

/** For failures of the workload's own functions. */
export function workloadFailure(error: unknown): string {
  return `the workload failed: ${messageOf(error)}`;
}
