import type { RefusalReason, Written } from '../point-reader.ts';

/** InfluxDB finds these only when it stores what it has parsed. */
const FOUND_LATE: readonly RefusalReason[] = ['type-conflict', 'reserved-name'];

/** What InfluxDB answers to a write of which something was refused; undefined when nothing was. */
export function writeError(written: Written): string | undefined {
  const { lines, refused, refusedLines } = written;
  if (refusedLines === 0) return undefined;
  const late = FOUND_LATE.map((reason) => ({ reason, count: countOf(reason, written) }));
  const unparsed = refusedLines - late.reduce((sum, { count }) => sum + count, 0);
  const parseError = refused
    .filter(({ reason }) => !FOUND_LATE.includes(reason))
    .map(({ line, message }) => `unable to parse '${line}': ${message}`)
    .join('\n');
  if (unparsed === lines) return parseError;
  const worst = late.find(({ count }) => count > 0);
  if (worst === undefined) return `partial write: ${parseError} dropped=0`;
  const first = refused.find(({ reason }) => reason === worst.reason)?.message ?? worst.reason;
  return `partial write: ${first} dropped=${worst.count}`;
}

function countOf(reason: RefusalReason, { refused, reasons }: Written): number {
  if (reasons !== undefined) return reasons[reason] ?? 0;
  return refused.filter((line) => line.reason === reason).length;
}
