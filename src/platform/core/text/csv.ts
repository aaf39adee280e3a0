export type CsvRecords = readonly (readonly string[])[];

/** The records of `readCsv`; undefined where a quote is broken. */
export function parseCsv(text: string): CsvRecords | undefined {
  const found = readCsv(text);
  return 'records' in found ? found.records : undefined;
}

/**
 * The records of a separated text, as RFC 4180 has them, with line ends of every kind; blank lines are left out. Plain text is
 * cut, which is many times quicker than reading each character; only text with quotes is gone through. What an open quote
 * or text behind a closing one would mean is not guessed: `brokenLine` is the line with it.
 */
export function readCsv(
  text: string,
  separator: ',' | ';' | '\t' = ',',
): { readonly records: CsvRecords } | { readonly brokenLine: number } {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.includes('"')) return readQuoted(body, separator);
  const lines = body.split(body.includes('\r') ? LINE_END : '\n');
  return { records: lines.filter((line) => line !== '').map((line) => line.split(separator)) };
}

/** A cell as it stands in a table: quoted only where it must be. */
export function csvCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NEEDS_QUOTES = /[",\r\n]/;
const LINE_END = /\r\n|\n|\r/;
/** A cell without quotes, by the separator that ends it. */
const PLAIN = { ',': /[^",\r\n]*/y, ';': /[^";\r\n]*/y, '\t': /[^"\t\r\n]*/y };
const END = { ',': /,|\r\n|\n|\r|$/y, ';': /;|\r\n|\n|\r|$/y, '\t': /\t|\r\n|\n|\r|$/y };

function readQuoted(body: string, separator: keyof typeof PLAIN): ReturnType<typeof readCsv> {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < body.length; ) {
    const isQuoted = body[at] === '"';
    const close = isQuoted ? closingQuote(body, at) : endOf(PLAIN[separator], body, at);
    const next = isQuoted ? close + 1 : close;
    const after = close < 0 ? close : endOf(END[separator], body, next);
    if (after < 0) return { brokenLine: body.slice(0, at).split(LINE_END).length };
    record.push(isQuoted ? body.slice(at + 1, close).replaceAll('""', '"') : body.slice(at, close));
    at = after;
    if (body.slice(next, after) === separator) continue;
    if (record.length > 1 || record[0] !== '' || isQuoted) records.push(record);
    record = [];
  }
  // A separator at the very end opens one more, empty cell.
  if (record.length > 0) records.push([...record, '']);
  return { records };
}

/** Two quotes are one that belongs to the cell; -1 where it is never closed. */
function closingQuote(body: string, open: number): number {
  let at = body.indexOf('"', open + 1);
  while (at >= 0 && body[at + 1] === '"') at = body.indexOf('"', at + 2);
  return at;
}

/** Where what a sticky pattern finds here ends; -1 where it finds nothing. */
function endOf(pattern: RegExp, body: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(body) ? pattern.lastIndex : -1;
}

/** A cell of a table that people open in a table program, which takes text that begins so for a formula. */
export function plainCell(text: string): string {
  return csvCell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}
