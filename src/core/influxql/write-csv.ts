import type { QueryResult } from './run-query.ts';
import type { Cell } from './vector.ts';

/** The answer as InfluxDB's CSV: a head for each statement, an empty line between; errors by themselves. */
export async function* writeCsv(results: AsyncIterable<QueryResult>): AsyncGenerator<string> {
  let statement = -1;
  let columns = '';
  for await (const { statementId, series = [], error } of results) {
    let text = '';
    if (error !== undefined) text += `${statement < 0 ? '' : '\n'}error\n${quoteField(error)}\n`;
    for (const { name = '', tags = {}, columns: names, values } of series) {
      const head = ['name', 'tags', ...names].map(quoteField).join(',');
      if (statementId !== statement || head !== columns) text += `${statement < 0 ? '' : '\n'}${head}\n`;
      statement = statementId;
      columns = head;
      const tagText = quoteField(Object.entries(tags).map(([key, value]) => `${key}=${value}`).join(','));
      for (const row of values) text += `${quoteField(name)},${tagText},${row.map(writeCell).join(',')}\n`;
    }
    if (text !== '') yield text;
  }
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' && Math.abs(cell) >= 1e21) return BigInt(cell).toString();
  return typeof cell === 'string' ? quoteField(cell) : String(cell);
}

function quoteField(text: string): string {
  return /[",\r\n]|^\s/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
