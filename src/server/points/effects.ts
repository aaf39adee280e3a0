import type { IngestCounters, PacketReport } from '../../core/lines/ingest-counters.ts';
import type { Moment } from '../../core/model/points.ts';
import type { PointWriter } from '../../core/ports/point-reader.ts';

/** What the routes for points work with; absent where a server has none. */
export interface PointService {
  readonly writer: PointWriter;
  readonly counters: IngestCounters;
  /** nan and inf are taken, unless a request says otherwise. */
  readonly keepsNotFinite: boolean;
  /** Now, to the nanosecond, and never the same twice. */
  moment(): Moment;
  /** What the listener for packets knows. */
  packets(): Promise<Pick<PacketReport, 'isListening' | 'lostByKernel'>>;
}
