import { NightmarkError } from '../errors.ts';
import type { Moment } from '../model/points.ts';
import type { PointAdmin, PointReader } from '../ports/point-reader.ts';
import type { CancelSignal } from '../signal.ts';
import type { Select, Statement } from './ast.ts';
import { runChange } from './change.ts';
import { parseQuery } from './parse-statement.ts';
import {
  needDatabase,
  runSelect,
  type SelectContext,
  type SelectedSeries,
  stopIfCancelled,
} from './select.ts';
import { runShow, type ShownSeries } from './show.ts';
import { floorDivide, formatTime, toNs, unitNs } from './time.ts';
import { type Cell, narrow } from './vector.ts';
import { formatIn, type Zone } from './zone.ts';

export interface QueryOptions {
  readonly reader: PointReader;
  /** Absent: nothing can be changed. */
  readonly admin?: PointAdmin;
  /** For statements that do not name one; '' for none. */
  readonly database: string;
  readonly now: Moment;
  /** Times as whole numbers of this unit (n, u, ms, s, m, h) instead of RFC 3339. */
  readonly epoch?: string;
  /** Asked by GET: what changes something is done and warned about, as InfluxDB does. */
  readonly isReadOnly?: boolean;
  /** Rows in one result; what has more comes in several. */
  readonly chunkRows?: number;
  /** Refuses what has more rows than this. */
  readonly maxRows?: number;
  readonly signal?: CancelSignal;
}

export interface ResultSeries {
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly values: readonly (readonly Cell[])[];
  readonly partial?: boolean;
}

export interface QueryResult {
  readonly statementId: number;
  readonly series?: readonly ResultSeries[];
  readonly messages?: readonly { readonly level: string; readonly text: string }[];
  readonly error?: string;
  /** More of the same statement follows. */
  readonly partial?: boolean;
}

const MOST_ROWS = 20_000_000;

/**
 * Answers InfluxQL. What cannot be parsed throws QUERY_SYNTAX; an error in a statement is its result, and ends the query.
 * Each statement gives at least one result; those of one series follow each other.
 */
export async function* runQuery(text: string, options: QueryOptions): AsyncGenerator<QueryResult> {
  const statements = parseQuery(text);
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
  const { reader, database, now, maxRows = MOST_ROWS, signal } = options;
  const context: SelectContext = { reader, database, now: toNs(now), maxRows, ...(signal ? { signal } : {}) };
  if (statement.kind === 'show')
    return hold(statementId, runShow(statement, context), (shown) => shownChunks(shown, options));
  if (statement.kind !== 'select') {
    await runChange(statement, context, options.admin);
    const isWarned = options.isReadOnly && statement.kind !== 'delete';
    return [isWarned ? { statementId, messages: [warning(statement.text)] } : { statementId }];
  }
  if (statement.sources.some((source) => source.kind === 'measurement' && !source.database))
    needDatabase(reader, database);
  return hold(statementId, runSelect(statement, context), (series) => chunks(series, statement, options));
}

/** Each part as a result; only when the next one is there is it known that more follows. */
async function* hold<T>(
  statementId: number,
  all: AsyncIterable<T> | Iterable<T>,
  partsOf: (one: T) => Iterable<ResultSeries>,
): AsyncGenerator<QueryResult> {
  let held: QueryResult | undefined;
  for await (const one of all) {
    for (const part of partsOf(one)) {
      if (held) yield { ...held, partial: true };
      held = { statementId, series: [part] };
    }
  }
  yield held ?? { statementId };
}

function* shownChunks(series: ShownSeries, { chunkRows = 10_000 }: QueryOptions): Generator<ResultSeries> {
  const count = series.values.length;
  for (let from = 0; from < count; from += chunkRows) {
    const values = series.values.slice(from, from + chunkRows);
    yield { ...series, values, ...(from + chunkRows < count ? { partial: true } : {}) };
  }
}

function warning(text: string): { level: string; text: string } {
  return {
    level: 'warning',
    text: `deprecated use of '${text}' in a read only context, please use a POST request instead`,
  };
}

function* chunks(
  { name, tags, columns, rows }: SelectedSeries,
  { zone }: Select,
  options: QueryOptions,
): Generator<ResultSeries> {
  const { chunkRows = 10_000, epoch } = options;
  const count = rows.ms.length;
  const time = timeWriter(epoch, zone);
  for (let from = 0; from < count; from += chunkRows) {
    const values: Cell[][] = [];
    for (let i = from; i < Math.min(count, from + chunkRows); i++) {
      values.push([time({ ms: rows.ms[i] as number, ns: rows.ns[i] as number }), ...(rows.cells[i] ?? [])]);
    }
    const isMore = from + chunkRows < count;
    yield { name, ...(tags ? { tags } : {}), columns, values, ...(isMore ? { partial: true } : {}) };
  }
}

function timeWriter(epoch: string | undefined, zone: Zone | undefined): (moment: Moment) => Cell {
  const unit = epoch === undefined || epoch === '' ? undefined : unitNs(epoch);
  if (epoch === 'ms') return ({ ms }) => ms;
  if (unit === undefined)
    return epoch ? (moment) => narrow(toNs(moment)) : zone ? formatIn(zone) : formatTime;
  return (moment) => narrow(floorDivide(toNs(moment), unit));
}
