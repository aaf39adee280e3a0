import type { ForwardStatus } from '../app/forward-points.ts';
import type { PointEngine } from '../app/point-engine.ts';
import type { IngestCounters, PacketReport } from '../core/lines/ingest-counters.ts';
import type { PointAdmin, PointReader, PointWriter } from '../core/points/point-reader.ts';
import type { Timestamp } from '../core/points/points.ts';

/** What the routes of points need; absent where a server has none. */
export interface PointService {
  readonly writer: PointWriter;
  /** Absent: there are no queries. */
  readonly reader?: PointReader;
  readonly admin?: PointAdmin;
  /** Parts of ranges, and sizes; absent: there are no columns for charts. */
  readonly stored?: Pick<PointEngine, 'buckets' | 'extent' | 'size'>;
  readonly counters: IngestCounters;
  /** nan and inf are accepted, unless a request says otherwise. */
  readonly keepsNotFinite: boolean;
  /** Now, to the nanosecond, and never the same twice. */
  nextTimestamp(): Timestamp;
  /** The status of the listener for packets. */
  packets(): Promise<Pick<PacketReport, 'isListening' | 'lostByKernel'>>;
  /** Why the storage is unavailable; undefined, or absent, when it is not. */
  problem?(): string | undefined;
  /** The status of the mirrors; absent where there are none. */
  forwarding?(): readonly ForwardStatus[];
}
