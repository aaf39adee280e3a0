import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PointAdmin, PointReader } from '../points/point-reader.ts';
import type { Timestamp } from '../points/points.ts';
import type { GroupTags } from './group-series.ts';
import type { Statement } from './parse/ast.ts';
import { parseQuery } from './parse/parse-query.ts';
import { toNs } from './parse/time.ts';
import { nanosecondText, timeText, type Zone } from './parse/time-zone.ts';
import type { SelectContext, SelectedSeries } from './plan.ts';
import { runChange } from './run-change.ts';
import { runShow, type ShownSeries } from './run-show.ts';
import { needDatabase, runSelect, stopIfCancelled } from './select.ts';
import type { Cell } from './vector.ts';
import type { RowTimestamps } from './write-results.ts';

export interface QueryOptions {
  readonly reader: PointReader;
  /** Absent: nothing can be changed. */
  readonly admin?: PointAdmin;
  /** For statements that do not name one; '' for none. */
  readonly database: string;
  readonly now: Timestamp;
  /** Times as whole numbers of this unit (n, u, ms, s, m, h) instead of RFC 3339. */
  readonly epoch?: string;
  /** Sent by GET: changes are executed with a warning, as InfluxDB does. */
  readonly isReadOnly?: boolean;
  /** Every series is a separate result. */
  readonly isChunked?: boolean;
  /** Maximum rows of one result; more are split into several. */
  readonly chunkRows?: number;
  /** Queries with more rows are refused. */
  readonly maxRows?: number;
  readonly signal?: Pick<CancelSignal, 'aborted'>;
}

export interface ResultSeries {
  readonly name?: string;
  readonly tags?: GroupTags;
  readonly columns: readonly string[];
  readonly rows: ResultRows;
  readonly partial?: boolean;
}

/** Some rows of columns. */
export interface ResultRows {
  readonly from: number;
  readonly to: number;
  /** The first cell of a row, ready to be written; absent where rows have no time. */
  readonly time?: (row: number) => string;
  /** The same times, where they are written in nanoseconds since 1970. */
  readonly nanoseconds?: RowTimestamps;
  /** One for each column but the time. */
  readonly cells: readonly ArrayLike<Cell>[];
}

export interface QueryResult {
  readonly statementId: number;
  readonly series?: readonly ResultSeries[];
  readonly messages?: readonly { readonly level: string; readonly text: string }[];
  readonly error?: string;
  /** More of the same statement follows. */
  readonly partial?: boolean;
}

const MAX_ROWS = 20_000_000;

/**
 * Answers InfluxQL. What cannot be parsed throws QUERY_SYNTAX; an error in a statement is its result, and ends the query.
 * Each statement yields at least one result; those of one series follow each other.
 */
export async function* runQuery(text: string, options: QueryOptions): AsyncGenerator<QueryResult> {
  yield* runStatements(parseQuery(text), options);
}

export async function* runStatements(
  statements: readonly Statement[],
  options: QueryOptions,
): AsyncGenerator<QueryResult> {
  for (const [statementId, statement] of statements.entries()) {
    stopIfCancelled(options.signal);
    try {
      for await (const result of await runStatement(statement, statementId, options)) yield result;
    } catch (error) {
      if (!(error instanceof NightmarkError) || !error.code.startsWith('QUERY_')) throw error;
      yield { statementId, error: error.message };
      // As in InfluxDB: what follows a statement that failed may build on it.
      for (let later = statementId + 1; later < statements.length; later++) {
        yield { statementId: later, error: 'not executed' };
      }
      return;
    }
  }
}

type Results = AsyncIterable<QueryResult> | Iterable<QueryResult>;

async function runStatement(
  statement: Statement,
  statementId: number,
  options: QueryOptions,
): Promise<Results> {
  const { reader, database, now, maxRows = MAX_ROWS, signal } = options;
  const context: SelectContext = { reader, database, now: toNs(now), maxRows, ...(signal ? { signal } : {}) };
  if (statement.kind === 'show')
    return inResults(statementId, [runShow(statement, context)], {
      partsOf: (shown) => shownChunks(shown, options),
      options,
    });
  if (statement.kind !== 'select') {
    await runChange(statement, context, options.admin);
    const isWarned = options.isReadOnly && statement.kind !== 'delete';
    return [isWarned ? { statementId, messages: [warning(statement.text)] } : { statementId }];
  }
  if (statement.sources.some((source) => source.kind === 'measurement' && !source.database))
    needDatabase(reader, database);
  return inResults(statementId, runSelect(statement, context), {
    partsOf: chunksOf(options, statement.zone),
    options,
  });
}

interface Parting<T> {
  partsOf(one: T): Iterable<ResultSeries>;
  readonly options: QueryOptions;
}

async function* inResults<T>(
  statementId: number,
  batches: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  { partsOf, options }: Parting<T>,
): AsyncGenerator<QueryResult> {
  // In chunks, one result is held back until it is known whether more follow.
  let held: QueryResult = { statementId };
  for await (const batch of batches) {
    const parts: ResultSeries[] = [];
    for (const one of batch) for (const part of partsOf(one)) parts.push(part);
    if (parts.length === 0) continue;
    for (const series of options.isChunked ? parts.map((part) => [part]) : [parts]) {
      if (held.series) yield { ...held, partial: true };
      held = { statementId, series };
    }
  }
  yield held;
}

function* shownChunks(
  { values, ...shown }: ShownSeries,
  { chunkRows = 10_000 }: QueryOptions,
): Generator<ResultSeries> {
  const count = values.length;
  const cells = shown.columns.map((_, column) => values.map((row) => row[column] ?? null));
  for (let from = 0; from < count; from += chunkRows) {
    const rows = { from, to: Math.min(count, from + chunkRows), cells };
    yield { ...shown, rows, ...(rows.to < count ? { partial: true } : {}) };
  }
}

function warning(text: string): { level: string; text: string } {
  return {
    level: 'warning',
    text: `deprecated use of '${text}' in a read only context, please use a POST request instead`,
  };
}

function chunksOf(
  { chunkRows = 10_000, epoch }: QueryOptions,
  zone: Zone | undefined,
): (series: SelectedSeries) => readonly ResultSeries[] {
  const text = timeText(epoch, zone);
  const isNanoseconds = text === nanosecondText;
  return ({ name, tags, columns, rows: { ms, ns, cells } }) => {
    const count = ms.length;
    const time = (row: number) => text(ms[row] as number, ns[row] as number);
    const parts: ResultSeries[] = [];
    for (let from = 0; from < count; from += chunkRows) {
      const to = Math.min(count, from + chunkRows);
      const rows =
        isNanoseconds && count > 1
          ? { from, to, time, nanoseconds: { ms, ns }, cells }
          : { from, to, time, cells };
      const part = tags ? { name, tags, columns, rows } : { name, columns, rows };
      parts.push(rows.to < count ? { ...part, partial: true } : part);
    }
    return parts;
  };
}
