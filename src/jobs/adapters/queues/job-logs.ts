import type { JobLogEntry } from '../../core/job.ts';
import type { ClaimKey, LogPage, LogQuery } from '../../core/job-queue.ts';
import { storable } from '../../core/storable-text.ts';
import { lockHeld } from './attempts.ts';
import type { Database, Row, Session } from './sql-database.ts';

/** Characters that are kept of the start of the output of a job, and as many of its end; everything is in its files. */
export const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
/** Approximate size of a row: the oldest rows of the end are dropped one by one. */
const ROW_CHARACTERS = 256 * 1024;
const LONGEST_MESSAGE = 1024 * 1024;
/** Of a row: PostgreSQL's integers have 32 bits. */
const LARGEST_NUMBER = 2 ** 31 - 1;

interface LogSizes extends Row {
  readonly next_number: number;
  readonly head: number;
  readonly tail: number;
  readonly left_out: number;
}

interface LogRow extends Row {
  readonly number: number;
  readonly size: number;
  readonly entries: number;
  readonly body: string;
}

export async function appendLogs(
  database: Database,
  claim: ClaimKey,
  entries: readonly JobLogEntry[],
): Promise<boolean> {
  return database.atomically(async (session) => {
    if ((await lockHeld(session, claim, database)) === undefined) return false;
    const [sizes] = await session.rows<LogSizes>('SELECT * FROM job_log_sizes WHERE job_id = $1', [
      claim.jobId,
    ]);
    let { next_number: number, head, tail, left_out: leftOut } = sizes ?? NO_LOGS;
    for (const piece of pieces(entries)) {
      const body = JSON.stringify(piece);
      const isTail = head >= MAX_KEPT_CHARACTERS;
      if (isTail) tail += body.length;
      else head += body.length;
      await session.rows(
        'INSERT INTO job_logs (job_id, number, is_tail, size, entries, body) VALUES ($1, $2, $3, $4, $5, $6)',
        [claim.jobId, number++, isTail ? 1 : 0, body.length, piece.length, body],
      );
    }
    if (tail > MAX_KEPT_CHARACTERS) {
      const gone = await dropOldest(session, claim.jobId, tail - MAX_KEPT_CHARACTERS);
      tail -= gone.size;
      leftOut += gone.entries;
    }
    await session.rows(
      `INSERT INTO job_log_sizes (job_id, next_number, head, tail, left_out) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (job_id) DO UPDATE SET next_number = excluded.next_number, head = excluded.head,
         tail = excluded.tail, left_out = excluded.left_out`,
      [claim.jobId, number, head, tail, leftOut],
    );
    return true;
  });
}

/** A position in the log is `<row number>.<entries of the row that were read>`. */
export async function readLogs(database: Database, id: string, query: LogQuery): Promise<LogPage> {
  const [sizes] = await database.rows<LogSizes>('SELECT * FROM job_log_sizes WHERE job_id = $1', [id]);
  const leftOut = sizes?.left_out ?? 0;
  const end = `${sizes?.next_number ?? 0}.0`;
  const after = parsePosition(query.after);
  if (query.tail !== undefined) {
    const most = Math.min(query.tail, query.limit);
    return { entries: await lastEntries(database, id, { ...query, most, after }), next: end, leftOut };
  }
  const entries: JobLogEntry[] = [];
  for (let { row, entry } = after; ; ) {
    const [found] = await database.rows<LogRow>(
      'SELECT number, body FROM job_logs WHERE job_id = $1 AND number >= $2 ORDER BY number LIMIT 1',
      [id, row],
    );
    // Entries that were added since the sizes were read wait for the next call.
    if (found === undefined || found.number >= (sizes?.next_number ?? 0))
      return { entries, next: end, leftOut };
    const all = JSON.parse(found.body) as JobLogEntry[];
    for (let at = found.number === row ? entry : 0; at < all.length; at++) {
      if (entries.length >= query.limit) return { entries, next: `${found.number}.${at}`, leftOut };
      const one = all[at];
      if (one !== undefined && isWanted(one, query)) entries.push(one);
    }
    row = found.number + 1;
    entry = 0;
  }
}

const NO_LOGS = { next_number: 0, head: 0, tail: 0, left_out: 0 };

interface LogPosition {
  readonly row: number;
  readonly entry: number;
}

async function lastEntries(
  database: Database,
  id: string,
  query: Omit<LogQuery, 'after'> & { readonly most: number; readonly after: LogPosition },
): Promise<readonly JobLogEntry[]> {
  const { most, after } = query;
  const backwards: JobLogEntry[] = [];
  for (let before = LARGEST_NUMBER; backwards.length < most; ) {
    const [found] = await database.rows<LogRow>(
      'SELECT number, body FROM job_logs WHERE job_id = $1 AND number < $2 AND number >= $3 ORDER BY number DESC LIMIT 1',
      [id, before, after.row],
    );
    if (found === undefined) break;
    const all = JSON.parse(found.body) as JobLogEntry[];
    const unseen = found.number === after.row ? all.slice(after.entry) : all;
    backwards.push(...unseen.filter((entry) => isWanted(entry, query)).reverse());
    before = found.number;
  }
  return backwards.slice(0, most).reverse();
}

function isWanted({ worker, type }: JobLogEntry, query: Pick<LogQuery, 'worker' | 'type'>): boolean {
  return (
    (query.worker === undefined || query.worker === worker) &&
    (query.type === undefined || query.type === type)
  );
}

function parsePosition(text = '0.0'): LogPosition {
  const [row = 0, entry = 0] = text
    .split('.')
    .map((part) => Math.min(Math.trunc(Number(part)) || 0, LARGEST_NUMBER));
  return { row, entry };
}

async function dropOldest(session: Session, id: string, excess: number) {
  const rows = await session.rows<LogRow>(
    `SELECT number, size, entries FROM (
       SELECT number, size, entries, sum(size) OVER (ORDER BY number) - size AS before
       FROM job_logs WHERE job_id = $1 AND is_tail = 1) AS tail
     WHERE before < $2`,
    [id, excess],
  );
  const numbers = rows.map(({ number }) => number);
  if (numbers.length > 0) {
    await session.rows('DELETE FROM job_logs WHERE job_id = $1 AND is_tail = 1 AND number <= $2', [
      id,
      Math.max(...numbers),
    ]);
  }
  return {
    size: rows.reduce((sum, { size }) => sum + size, 0),
    entries: rows.reduce((sum, { entries }) => sum + entries, 0),
  };
}

function* pieces(entries: readonly JobLogEntry[]): Iterable<readonly JobLogEntry[]> {
  let piece: JobLogEntry[] = [];
  let size = 0;
  for (const entry of entries) {
    piece.push(storable(shortened(entry)));
    size += entry.message.length;
    if (size < ROW_CHARACTERS) continue;
    yield piece;
    piece = [];
    size = 0;
  }
  if (piece.length > 0) yield piece;
}

function shortened(entry: JobLogEntry): JobLogEntry {
  const { message } = entry;
  if (message.length <= LONGEST_MESSAGE) return entry;
  return { ...entry, message: `${message.slice(0, LONGEST_MESSAGE)} ... (${message.length} characters)` };
}
