/**
 * The records of a comma-separated text, as RFC 4180 has them; blank lines are left out. Plain text is cut, which is many
 * times quicker than looking at each character; only text with quotes is gone through. What an open quote or text behind
 * a closing one would mean is not guessed: undefined.
 */
export function parseCsv(text: string): readonly (readonly string[])[] | undefined {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.includes('"')) return parseQuoted(body);
  const lines = body.split(body.includes('\r') ? /\r\n|\n|\r/ : '\n');
  return lines.filter((line) => line !== '').map((line) => line.split(','));
}

/** A cell as it stands in a table: quoted only where it must be. */
export function csvCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NEEDS_QUOTES = /[",\r\n]/;
/** A cell and what ends it. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

function parseQuoted(body: string): readonly (readonly string[])[] | undefined {
  const records: string[][] = [];
  let record: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < body.length) {
    const found = CELL.exec(body);
    if (!found) return undefined;
    const [, quoted, plain = '', end] = found;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (record.length > 1 || record[0] !== '' || quoted !== undefined) records.push(record);
    record = [];
  }
  // A comma at the very end opens one more, empty cell.
  if (record.length > 0) records.push([...record, '']);
  return records;
}
