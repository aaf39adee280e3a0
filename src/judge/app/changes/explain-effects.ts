import type { CommitLog } from '../../../git/core/commit-log.ts';
import type { MeasuredSeries } from '../../../home/core/changes/change-record.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { CancelSignal } from '../../../platform/core/signal.ts';
import type { ExplainedSeries } from '../../core/explain/explained-series.ts';

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
    | 'levels'
    | 'kpiSeries'
    | 'kpiHistory'
  >;
  readonly disk: Pick<Disk, 'readText' | 'readEnds'>;
  /** Absent: hashes only. */
  readonly commits?: CommitLog;
  readonly signal: CancelSignal;
}
