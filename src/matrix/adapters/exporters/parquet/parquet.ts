import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { payloadTable } from '../../../../formats/core/kpi/payload-table.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { Exporter } from '../../../core/exporter.ts';
import { openDuck, sqlText } from './duckdb.ts';
import { nameColumns, type ParquetColumn, rowLine } from './parquet-columns.ts';
import { readTable } from './read-table.ts';

/** One row for each test, by DuckDB. */
const parquet: Exporter = {
  id: 'parquet',
  title: 'Parquet, one row for each test (needs @duckdb/node-api)',
  canImport: true,
  async export(payloads, { place, isDryRun }) {
    const { columns, rows } = payloadTable(payloads);
    const steps = [`write ${place}: ${rows.length} rows of ${columns.length} columns`];
    if (isDryRun) return { sent: 0, refused: [], steps };
    const named = nameColumns(columns);
    await writeTable(place, named, rows.map((row) => rowLine(named, row)).join(''));
    return { sent: rows.length, refused: [], steps };
  },
  import: ({ place }) => readTable(place),
};

const TYPES = { text: 'VARCHAR', number: 'DOUBLE', boolean: 'BOOLEAN', json: 'VARCHAR' };
const MAX_ROW_BYTES = 256 * 1024 * 1024;

/** DuckDB reads lines of JSON and writes the file beside its place, which is then put under its name. */
async function writeTable(place: string, columns: readonly ParquetColumn[], lines: string): Promise<void> {
  const duck = await openDuck();
  await mkdir(dirname(place), { recursive: true });
  const own = await mkdtemp(join(dirname(place), `.${basename(place)}-`));
  try {
    const [from, to] = [join(own, 'rows.ndjson'), join(own, 'table.parquet')];
    await writeFile(from, lines);
    const types = columns.map(({ column, type }) => `${sqlText(column)}: ${sqlText(TYPES[type])}`).join(', ');
    const source = `read_json(${sqlText(from)}, format='newline_delimited', columns={${types}}, maximum_object_size=${MAX_ROW_BYTES})`;
    const about = `{nightmark_columns: ${sqlText(JSON.stringify(columns))}}`;
    await duck.run(`COPY (SELECT * FROM ${source}) TO ${sqlText(to)} (FORMAT parquet, KV_METADATA ${about})`);
    await rename(to, place);
  } catch (cause) {
    throw new NightmarkError('EXPORT_NOT_WRITTEN', `${place} could not be written: ${messageOf(cause)}`, {
      hint: 'Is there space left, and may you write there?',
      cause,
    });
  } finally {
    duck.closeSync();
    await rm(own, { recursive: true, force: true });
  }
}

export default parquet;
