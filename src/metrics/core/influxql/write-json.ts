import { goJson } from '../../../platform/core/text/json.ts';
import { areUsualTimes, RowText, type TextOf } from './row-text.ts';
import type { QueryResult, ResultRows, ResultSeries } from './run-query.ts';
import type { Cell } from './vector.ts';

/** A result as InfluxDB writes it; a line by itself where the answer is chunked. */
export function writeChunk(result: QueryResult): string {
  return `{"results":[${writeResult(result)}]}\n`;
}

/** The whole answer, piece by piece: parts of one series and of one statement become one again. */
export async function* writeJson(
  results: AsyncIterable<QueryResult>,
  textOf?: TextOf,
): AsyncGenerator<string> {
  let statement = -1;
  let series: ResultSeries | undefined;
  for await (const result of results) {
    let text = '';
    if (result.statementId !== statement) {
      text += statement < 0 ? '{"results":[{' : `${closing(series)}},{`;
      statement = result.statementId;
      series = undefined;
      text += `"statement_id":${statement}`;
    }
    for (const part of result.series ?? []) {
      const rows = writeRows(part.rows, textOf);
      if (series?.partial) text += `,${rows}`;
      else text += `${series ? ']},' : ',"series":['}{${head(part)},"values":[${rows}`;
      series = part;
    }
    if (result.messages) text += `${closing(series)},"messages":${goJson(result.messages)}`;
    if (result.error !== undefined) {
      text += `${closing(series)},"error":${goJson(result.error)}`;
      series = undefined;
    }
    yield text;
  }
  yield statement < 0 ? '{}\n' : `${closing(series)}}]}\n`;
}

function closing(series: ResultSeries | undefined): string {
  return series ? ']}]' : '';
}

function writeResult({ statementId, series, messages, error, partial }: QueryResult): string {
  let text = `{"statement_id":${statementId}`;
  if (series) text += `,"series":[${series.map(writeSeries).join(',')}]`;
  if (messages) text += `,"messages":${goJson(messages)}`;
  if (error !== undefined) text += `,"error":${goJson(error)}`;
  return `${text}${partial ? ',"partial":true' : ''}}`;
}

function writeSeries(series: ResultSeries): string {
  return `{${head(series)},"values":[${writeRows(series.rows)}]${series.partial ? ',"partial":true' : ''}}`;
}

function head({ name, tags, columns }: ResultSeries): string {
  let text = name === undefined ? '' : `"name":${nameText(name)},`;
  if (tags !== undefined) text += `"tags":${tags.json},`;
  return `${text}"columns":${columnsText(columns)}`;
}

/** Series of one answer share their name and columns: what was written last is kept. */
function lastWritten<T>(): (value: T) => string {
  let last: { readonly value: T; readonly text: string } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, text: goJson(value) };
    return last.text;
  };
}

const nameText = lastWritten<string>();
const columnsText = lastWritten<readonly string[]>();
const ROW_TEXT = new RowText();
/** Fewer rows are not worth the way over bytes. */
const MANY_ROWS = 16;

function writeRows({ from, to, time, nanoseconds, cells }: ResultRows, textOf?: TextOf): string {
  const isMany = textOf !== undefined && to - from >= MANY_ROWS;
  if (isMany && nanoseconds && areNumbers(cells) && areUsualTimes(nanoseconds, from, to))
    return ROW_TEXT.write(nanoseconds, cells, { from, to, textOf });
  let text = '';
  for (let row = from; row < to; row++) {
    let line = time ? time(row) : '';
    for (let column = 0; column < cells.length; column++) {
      const cell = writeCell((cells[column] as ArrayLike<Cell>)[row] as Cell);
      line = line === '' ? cell : `${line},${cell}`;
    }
    text += row === from ? `[${line}]` : `,[${line}]`;
  }
  return text;
}

function areNumbers(cells: readonly ArrayLike<Cell>[]): cells is readonly Float64Array[] {
  return cells.every((column) => column instanceof Float64Array);
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number')
    return Number.isFinite(cell) ? (Object.is(cell, -0) ? '-0' : String(cell)) : 'null';
  if (typeof cell === 'string') return PLAIN.test(cell) ? `"${cell}"` : goJson(cell);
  return String(cell);
}

/** Text that is written as it is: ASCII without quotes, backslashes and what HTML would read. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
