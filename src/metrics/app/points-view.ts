import type { IngestReport } from '../core/lines/ingest-counters.ts';
import type { DatabaseSize } from './database-size.ts';
import type { LaneStatus } from './forward-lane.ts';

/** What is stored, what came in, and what was refused or lost. */
export interface PointsView {
  readonly databases: readonly (DatabaseSize & { readonly database: string })[];
  /** Databases that are there and not shown. */
  readonly hidden: number;
  /** Why the store cannot be used now. */
  readonly problem?: string;
  readonly ingest: IngestReport;
  readonly forwarding: readonly LaneStatus[];
}
