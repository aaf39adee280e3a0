import {
  COLUMN_TYPES,
  type PayloadColumn,
  payloadTable,
  rowDocument,
} from '../../../../formats/core/kpi/payload-table.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import { csvCell, parseCsv } from '../../../../platform/core/text/csv.ts';
import type { JsonValue } from '../../../../platform/core/text/json.ts';
import { type Exporter, type ReadDocument, readDocument } from '../../../core/exporter.ts';
import { readSource, writeFileAtomically } from '../export-files.ts';

/** One row for each test; the second line has the types of the columns. */
const csv: Exporter = {
  id: 'csv',
  title: 'CSV, one row for each test',
  canImport: true,
  async export(payloads, { place, isDryRun }) {
    const { columns, rows } = payloadTable(payloads);
    const steps = [`write ${place}: ${rows.length} rows of ${columns.length} columns`];
    if (isDryRun) return { sent: 0, refused: [], steps };
    const head = [columns.map(({ name }) => name), columns.map(({ type }) => type)];
    const body = rows.map((row) => row.map((value, at) => cellText(value, columns[at])));
    const lines = [...head, ...body].map((cells) => `${cells.map(csvCell).join(',')}\n`);
    await writeFileAtomically(place, lines.join(''));
    return { sent: rows.length, refused: [], steps };
  },
  async *import({ place }) {
    const [names, types, ...rows] = parseCsv(await readSource(place)) ?? [];
    const columns = columnsOf(place, names, types);
    // Rows are counted, not lines: a cell may have several lines.
    for (const [at, row] of rows.entries()) yield readRow(columns, row, `${place}, row ${at + 1}`);
  },
};

function cellText(value: JsonValue | undefined, column: PayloadColumn | undefined): string {
  if (value === undefined) return '';
  return column?.type === 'text' ? String(value) : JSON.stringify(value);
}

function columnsOf(
  place: string,
  names: readonly string[] = [],
  types: readonly string[] = [],
): readonly PayloadColumn[] {
  const columns = names.flatMap((name, at) => {
    const type = COLUMN_TYPES.find((known) => known === types[at]);
    return type ? [{ name, type }] : [];
  });
  if (columns.length === names.length && names.length === types.length && names.includes('test_uuid'))
    return columns;
  throw new NightmarkError('EXPORT_BAD_TABLE', `${place} is not a table of payloads.`, {
    hint: `Its first line names columns, test_uuid among them; the second has a type for each: ${COLUMN_TYPES.join(', ')}.`,
  });
}

function readRow(columns: readonly PayloadColumn[], row: readonly string[], source: string): ReadDocument {
  if (row.length !== columns.length)
    return { source, reason: `it has ${row.length} cells, not ${columns.length}` };
  try {
    const cells = row.map((text, at) => cellValue(text, columns[at]));
    return readDocument(rowDocument(columns, cells), source);
  } catch (error) {
    return { source, reason: messageOf(error) };
  }
}

function cellValue(text: string, column: PayloadColumn | undefined): JsonValue | undefined {
  if (text === '') return undefined;
  if (column?.type === 'text') return text;
  const value = JSON.parse(text) as JsonValue;
  if (column?.type === 'json' || column?.type === typeof value) return value;
  throw new Error(`${column?.name} must be a ${column?.type}, is ${text}`);
}

export default csv;
