import type { CancelSignal } from '../../platform/core/signal.ts';
import { countLines, encodeRecord } from '../core/forward/record-bytes.ts';
import { wantsDatabase } from '../core/forward/select-rows.ts';
import type { PointWriter } from '../core/points/point-reader.ts';
import type { LogRecord } from '../core/points/point-storage.ts';
import type { ForwardLane, LaneStatus } from './forward-lane.ts';

/** Mirrors of what is written. */
export interface Forwarding {
  /** Puts a record into the queues of those who want it. */
  take(record: LogRecord): void;
  /** Sends until cancelled; the queues are closed then. */
  run(signal: CancelSignal): Promise<void>;
  status(): readonly LaneStatus[];
}

export function forwardPoints(lanes: readonly ForwardLane[]): Forwarding {
  return {
    take(record) {
      const wanting = lanes.filter(({ target }) => wantsDatabase(target.only, record.database));
      if (wanting.length === 0 || record.kind !== 'lines') return;
      const bytes = encodeRecord(record);
      const lines = countLines(record.body);
      for (const lane of wanting) lane.take(bytes, lines);
    },
    async run(signal) {
      await Promise.all(lanes.map((lane) => lane.run(signal)));
    },
    status: () => lanes.map((lane) => lane.status()),
  };
}

/**
 * A writer whose points are mirrored. They are put into the queues before the write is acknowledged, so that what a sender
 * believes to be safe is not lost to the mirrors either.
 */
export function forwardingWriter(writer: PointWriter, forwarding: Forwarding): PointWriter {
  return {
    async write(record) {
      const written = await writer.write(record);
      if (written.values > 0) forwarding.take(record);
      return written;
    },
    hasDatabase: (name) => writer.hasDatabase(name),
  };
}
