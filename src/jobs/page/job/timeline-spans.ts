import type { JobView } from '../../core/job-documents.ts';

/** A phase of a job. */
export interface Span {
  readonly name: 'waited' | 'was being started' | 'ran';
  readonly from: number;
  readonly to: number;
  /** It goes on. */
  readonly isOpen: boolean;
}

type Times = Pick<JobView, 'status' | 'createdAt' | 'scheduledAt' | 'startedAt' | 'endedAt' | 'heartbeatAt'>;

/** From its submission to its end, or until now; of an unresponsive job until its last heartbeat. */
export function spansOf(
  { status, createdAt, scheduledAt, startedAt, endedAt, heartbeatAt }: Times,
  now: number,
): readonly Span[] {
  const isSilent = status === 'UNRESPONSIVE';
  const isOver = endedAt !== undefined || isSilent;
  const end = endedAt ?? (isSilent ? (heartbeatAt ?? now) : now);
  // A job that waits for its next attempt keeps the times of the last one.
  const isAgain = status === 'CREATED' && startedAt !== undefined;
  const marks = [
    { name: 'waited', at: createdAt },
    { name: 'was being started', at: status === 'CREATED' && !isAgain ? undefined : scheduledAt },
    { name: 'ran', at: status === 'SCHEDULED' ? undefined : startedAt },
  ] as const;
  const known = marks.filter(({ at }) => at !== undefined);
  return known.map(({ name, at = 0 }, place) => {
    const next = known[place + 1]?.at;
    return { name, from: at, to: Math.max(at, next ?? end), isOpen: next === undefined && !isOver };
  });
}
