import type { QueryResult, ResultSeries } from './run-query.ts';
import type { Cell } from './vector.ts';

/** A result as InfluxDB writes it; a line by itself where the answer is chunked. */
export function writeChunk(result: QueryResult): string {
  return `{"results":[${writeResult(result)}]}\n`;
}

/** The whole answer, piece by piece: parts of one series and of one statement become one again. */
export async function* writeJson(results: AsyncIterable<QueryResult>): AsyncGenerator<string> {
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
      const rows = part.values.map(writeRow).join(',');
      if (series?.partial) text += `,${rows}`;
      else text += `${series ? ']},' : ',"series":['}{${head(part)},"values":[${rows}`;
      series = part;
    }
    if (result.messages) text += `${closing(series)},"messages":${quote(result.messages)}`;
    if (result.error !== undefined) {
      text += `${closing(series)},"error":${quote(result.error)}`;
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
  if (messages) text += `,"messages":${quote(messages)}`;
  if (error !== undefined) text += `,"error":${quote(error)}`;
  return `${text}${partial ? ',"partial":true' : ''}}`;
}

function writeSeries(series: ResultSeries): string {
  const rows = series.values.map(writeRow).join(',');
  return `{${head(series)},"values":[${rows}]${series.partial ? ',"partial":true' : ''}}`;
}

function head({ name, tags, columns }: ResultSeries): string {
  const parts: string[] = [];
  if (name !== undefined) parts.push(`"name":${quote(name)}`);
  if (tags !== undefined) parts.push(`"tags":${quote(tags)}`);
  return [...parts, `"columns":${quote(columns)}`].join(',');
}

function writeRow(row: readonly Cell[]): string {
  return `[${row.map(writeCell).join(',')}]`;
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number')
    return Number.isFinite(cell) ? (Object.is(cell, -0) ? '-0' : String(cell)) : 'null';
  if (typeof cell === 'string') return quote(cell);
  return String(cell);
}

/** Go escapes what HTML would read. */
export function quote(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
