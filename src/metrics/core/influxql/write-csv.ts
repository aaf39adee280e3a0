import type { QueryResult } from './run-query.ts';
import type { Cell } from './vector.ts';

/** The answer as InfluxDB's CSV: a head for each statement, an empty line between; errors by themselves. */
export async function* writeCsv(results: AsyncIterable<QueryResult>): AsyncGenerator<string> {
  let statement = -1;
  let columns = '';
  for await (const { statementId, series = [], error } of results) {
    let text = '';
    if (error !== undefined) text += `${statement < 0 ? '' : '\n'}error\n${quoteField(error)}\n`;
    for (const { name = '', tags, columns: names, rows } of series) {
      const head = ['name', 'tags', ...names].map(quoteField).join(',');
      if (statementId !== statement || head !== columns) text += `${statement < 0 ? '' : '\n'}${head}\n`;
      statement = statementId;
      columns = head;
      const tagText = quoteField(
        Object.entries(tags?.values ?? {})
          .map(([key, value]) => `${key}=${value}`)
          .join(','),
      );
      for (let row = rows.from; row < rows.to; row++) {
        const cells = rows.cells.map((column) => writeCell(column[row] as Cell));
        const all = rows.time ? [rows.time(row), ...cells] : cells;
        text += `${quoteField(name)},${tagText},${all.join(',')}\n`;
      }
    }
    if (text !== '') yield text;
  }
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return plainNumber(cell);
  return typeof cell === 'string' ? quoteField(cell) : String(cell);
}

/** Without an exponent, as Go writes numbers in CSV. */
function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 1e21) return BigInt(value).toString();
  const [digits = '', exponent] = String(value).split('e-');
  if (exponent === undefined) return digits;
  const sign = value < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace(/[-.]/g, '')}`;
}

function quoteField(text: string): string {
  return /[",\r\n]|^\s/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
