import type { FollowedRecord } from '../follower.ts';
import { formatLines, type LineTags } from '../lines/format-line.ts';

/**
 * The lines of a record: a measurement for each name, with its value and step, as the clients of an experiment log it.
 * A record without a time gets that of its file; its number keeps records of one moment apart, and makes the same record
 * the same point whenever it is sent.
 */
export function recordLines(record: FollowedRecord, tags: LineTags, modifiedAt: number): readonly string[] {
  const at = record.at ?? { ms: modifiedAt, ns: record.number % 1_000_000 };
  return record.values.flatMap(([measurement, value]) =>
    formatLines({
      measurement,
      tags,
      fields: { value, ...(record.step !== undefined && { step: record.step }) },
      at,
    }),
  );
}
