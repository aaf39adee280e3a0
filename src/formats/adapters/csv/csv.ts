import { NightmarkError } from '../../../platform/core/errors.ts';
import { type CsvRecords, readCsv } from '../../../platform/core/text/csv.ts';
import type { Format } from '../../core/format.ts';
import { readTable } from '../../core/read-table.ts';
import { createReading, requireNumbers } from '../../core/reading.ts';
import { createSelection } from '../../core/selection.ts';
import { findDelimiter, looksLikeCsv } from './dialect.ts';
import { toTables } from './header.ts';

/** A table with a header line; separated by comma, semicolon or tab. */
const csv: Format = {
  id: 'csv',
  title: 'CSV or TSV with a header line',
  recognizes: (head) => (looksLikeCsv(head) ? 'maybe' : 'no'),
  read(text, mapping) {
    const reading = createReading();
    const selection = createSelection(mapping);
    for (const table of toTables(parseRecords(text), selection, reading))
      readTable(table, selection, reading);
    selection.requireAllUsed();
    return requireNumbers(reading.finish(), NO_NUMBERS_HINT);
  },
};

const NO_NUMBERS_HINT =
  'Say which column with "value" in the mapping, and look whether the decimal sign is a point.';
const HINT = 'Write a header line with the names of the columns, then one line for each result.';

function parseRecords(text: string): CsvRecords {
  const records = parseStrict(text);
  if (records.length === 0)
    throw new NightmarkError('IMPORT_EMPTY', 'There is nothing in it.', { hint: HINT });
  if (records.length > 1) return records;
  throw new NightmarkError('IMPORT_EMPTY', 'There is a header line, but no row below it.', { hint: HINT });
}

function parseStrict(text: string): CsvRecords {
  const found = readCsv(text, findDelimiter(text));
  if ('records' in found) return found.records;
  throw new NightmarkError(
    'IMPORT_BROKEN_CSV',
    `It is not valid CSV: in line ${found.brokenLine} a quote is not closed, or is inside of a cell.`,
    {
      hint: 'A cell with a quote, a line break or the separator is written in double quotes, a quote in it as two.',
    },
  );
}

export default csv;
