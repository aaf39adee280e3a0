import { access } from 'node:fs/promises';
import { rowDocument } from '../../../../formats/core/kpi/payload-table.ts';
import { asPayload } from '../../../../formats/core/kpi/read-payload.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { ImportedPayload, RefusedDocument } from '../../../core/exporter.ts';
import { type Duck, openDuck, sqlText } from './duckdb.ts';
import { type ParquetColumn, rowCells } from './parquet-columns.ts';

/** The payloads of a file that was written here: it says itself what its columns are. */
export async function* readTable(place: string): AsyncGenerator<ImportedPayload | RefusedDocument> {
  await access(place).catch((cause: unknown) => {
    throw new NightmarkError('EXPORT_NO_SOURCE', `${place} could not be read: ${messageOf(cause)}`, {
      hint: 'Look at the name behind --from.',
      cause,
    });
  });
  const duck = await openDuck();
  try {
    const columns = await columnsOf(place, duck);
    const found = await duck.runAndReadAll(`SELECT * FROM read_parquet(${sqlText(place)})`);
    for (const [at, row] of found.getRowObjects().entries()) {
      const source = `${place}, row ${at + 1}`;
      const read = asPayload(rowDocument(columns, rowCells(columns, row)));
      if ('reason' in read) yield { source, reason: read.reason };
      else yield { id: read.payload.metadata.test_uuid, payload: read.payload, source };
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
  throw noTable(place, 'it does not say what its columns are');
}

function noTable(place: string, reason: string): NightmarkError {
  return new NightmarkError('EXPORT_BAD_TABLE', `${place} is no table of payloads: ${reason}`, {
    hint: 'Only files that were exported here can be read back.',
  });
}
