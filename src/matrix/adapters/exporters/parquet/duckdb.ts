import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';

/** What we use of a connection of @duckdb/node-api. */
export interface Duck {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowObjects(): readonly Record<string, unknown>[] }>;
  closeSync(): void;
}

interface DuckPackage {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Duck> }> };
}

const PACKAGE = '@duckdb/node-api';

/** DuckDB in memory, where the user installed it: it is large, and few need it. */
export async function openDuck(): Promise<Duck> {
  const { DuckDBInstance } = await load();
  const instance = await DuckDBInstance.create(':memory:');
  return instance.connect();
}

/** A text in SQL. */
export function sqlText(text: string): string {
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
