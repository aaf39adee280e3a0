import type { PayloadColumn, PayloadTable } from '../../../../formats/core/kpi/payload-table.ts';
import type { JsonValue } from '../../../../platform/core/text/json.ts';

/** A column, and what it is called in the file. */
export interface ParquetColumn extends PayloadColumn {
  readonly column: string;
}

/** DuckDB takes "label.A" and "label.a" for one: the second is called "label.a (2)". */
export function nameColumns(columns: readonly PayloadColumn[]): readonly ParquetColumn[] {
  const taken = new Set<string>();
  return columns.map((each) => {
    let column = each.name;
    for (let count = 2; taken.has(column.toLowerCase()); count++) column = `${each.name} (${count})`;
    taken.add(column.toLowerCase());
    return { ...each, column };
  });
}

/** A row as a line of JSON; absent values are left out. */
export function rowLine(columns: readonly ParquetColumn[], row: PayloadTable['rows'][number]): string {
  const cells = columns.flatMap(({ column, type }, at): [string, JsonValue][] => {
    const value = row[at];
    if (value === undefined) return [];
    return [[column, type === 'json' ? JSON.stringify(value) : value]];
  });
  return `${JSON.stringify(Object.fromEntries(cells))}\n`;
}

/** The cells of a row as they were. */
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
