import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type PayloadColumn,
  type PayloadTable,
  payloadTable,
  rowDocument,
} from '../../../../formats/core/kpi/payload-table.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { JsonValue } from '../../../../platform/core/text/json.ts';
import { type Exporter, type ReadDocument, readDocument } from '../../../core/exporter.ts';

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

/** DuckDB reads lines of JSON and writes a temporary file, which is then renamed. */
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

/** The payloads of a file that this exporter wrote: its metadata has the columns. */
async function* readTable(place: string): AsyncGenerator<ReadDocument> {
  await access(place).catch((cause: unknown) => {
    throw new NightmarkError('EXPORT_NO_SOURCE', `${place} could not be read: ${messageOf(cause)}`, {
      hint: 'Check --from.',
      cause,
    });
  });
  const duck = await openDuck();
  try {
    const columns = await columnsOf(place, duck);
    const found = await duck.runAndReadAll(`SELECT * FROM read_parquet(${sqlText(place)})`);
    for (const [at, row] of found.getRowObjects().entries()) {
      const source = `${place}, row ${at + 1}`;
      yield readDocument(rowDocument(columns, rowCells(columns, row)), source);
    }
  } finally {
    duck.closeSync();
  }
}

async function columnsOf(place: string, duck: Duck): Promise<readonly ParquetColumn[]> {
  const about = `SELECT decode(value) AS columns FROM parquet_kv_metadata(${sqlText(place)}) WHERE decode(key) = 'nightmark_columns'`;
  try {
    const [row] = (await duck.runAndReadAll(about)).getRowObjects();
    if (row) return JSON.parse(String(row['columns'])) as readonly ParquetColumn[];
  } catch (cause) {
    throw noTable(place, messageOf(cause));
  }
  throw noTable(place, 'its metadata has no columns');
}

function noTable(place: string, reason: string): NightmarkError {
  return new NightmarkError('EXPORT_BAD_TABLE', `${place} is not a table of payloads: ${reason}`, {
    hint: 'Only files that nightmark exported can be read.',
  });
}

/** A column, and its name in the file. */
export interface ParquetColumn extends PayloadColumn {
  readonly column: string;
}

/** For DuckDB "label.A" and "label.a" are the same: the second is named "label.a (2)". */
export function nameColumns(columns: readonly PayloadColumn[]): readonly ParquetColumn[] {
  const taken = new Set<string>();
  return columns.map((each) => {
    let column = each.name;
    for (let count = 2; taken.has(column.toLowerCase()); count++) column = `${each.name} (${count})`;
    taken.add(column.toLowerCase());
    return { ...each, column };
  });
}

/** A row as a line of JSON, without absent values. */
export function rowLine(columns: readonly ParquetColumn[], row: PayloadTable['rows'][number]): string {
  const cells = columns.flatMap(({ column, type }, at): [string, JsonValue][] => {
    const value = row[at];
    if (value === undefined) return [];
    return [[column, type === 'json' ? JSON.stringify(value) : value]];
  });
  return `${JSON.stringify(Object.fromEntries(cells))}\n`;
}

/** The values of a row, as they were exported. */
export function rowCells(
  columns: readonly ParquetColumn[],
  row: Readonly<Record<string, unknown>>,
): readonly (JsonValue | undefined)[] {
  return columns.map(({ column, type }) => {
    const value = row[column];
    if (value === null || value === undefined) return undefined;
    return type === 'json' ? (JSON.parse(String(value)) as JsonValue) : (value as JsonValue);
  });
}

/** The part of a connection of @duckdb/node-api that is used. */
export interface Duck {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowObjects(): readonly Record<string, unknown>[] }>;
  closeSync(): void;
}

interface DuckPackage {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Duck> }> };
}

const PACKAGE = '@duckdb/node-api';

/** DuckDB in memory. Users install it themselves: it is large, and few need it. */
async function openDuck(): Promise<Duck> {
  const { DuckDBInstance } = await load();
  const instance = await DuckDBInstance.create(':memory:');
  return instance.connect();
}

/** A string literal in SQL. */
function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

async function load(): Promise<DuckPackage> {
  try {
    return (await import(PACKAGE)) as DuckPackage;
  } catch (cause) {
    throw new NightmarkError(
      'EXPORT_NO_DUCKDB',
      `Parquet is written and read by DuckDB: ${messageOf(cause)}`,
      {
        hint: `npm install ${PACKAGE}, beside nightmark; or use csv:FILE`,
        cause,
      },
    );
  }
}
