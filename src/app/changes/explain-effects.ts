import type { ExplainedSeries } from '../../core/explain/series-view.ts';
import type { MeasuredSeries } from '../../core/model/change.ts';
import type { CommitLog } from '../../core/ports/commit-log.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Store } from '../../core/ports/store.ts';
import type { CancelSignal } from '../../core/signal.ts';

/** A change of a series of a home, with the series as it was judged. */
export interface ExplainInput extends ExplainedSeries {
  readonly home: string;
  readonly series: MeasuredSeries;
  /** Run of each value, or test for a KPI. */
  readonly runIds: readonly string[];
}

export interface ExplainEffects {
  readonly store: Pick<
    Store,
    | 'run'
    | 'trialsOf'
    | 'machine'
    | 'stagesOf'
    | 'pointsOf'
    | 'payloads'
    | 'series'
    | 'history'
    | 'kpiSeries'
    | 'kpiHistory'
  >;
  readonly disk: Pick<Disk, 'readText' | 'readEnds'>;
  /** Absent: hashes only. */
  readonly commits?: CommitLog;
  readonly signal: CancelSignal;
}
