import type { CommitLog } from '../../../git/core/commit-log.ts';
import type { Store } from '../../../home/core/store.ts';
import type { JudgingRules } from '../../../judge/app/series/judging-rules.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';

/** What a report is about. */
export type ReportSubject =
  /** A night or an import: "latest", "latest~1", its id or label, or their beginning. */
  | { readonly kind: 'run'; readonly run: string }
  /** A side that is left out is chosen. */
  | { readonly kind: 'compare'; readonly base?: string; readonly head?: string }
  /** All open changes. */
  | { readonly kind: 'changes' }
  | { readonly kind: 'change'; readonly id: string };

export interface ReportRequest {
  readonly home: string;
  readonly subject: ReportSubject;
  readonly format: 'html' | 'markdown';
  /** Charts become files too: where they will lie, as an address relative to the report. */
  readonly figures?: { readonly folder: string };
}

/** What a report reads. */
export interface ReportSources {
  readonly store: Store;
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: CancelSignal;
  /** The rules of the home for changes; read for a report that judges a series anew. */
  rules(): Promise<JudgingRules>;
  /** Where others see the page of the home: names in tables lead there. */
  readonly page?: string;
  /** Absent: hashes only. */
  readonly commits?: CommitLog;
}

export function noResults(home: string): NightmarkError {
  return new NightmarkError('REPORT_NOTHING', `${home} has no results yet.`, {
    hint: `Run a night first: nightmark run ${home}`,
  });
}
