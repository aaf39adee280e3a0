import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Payload } from './kpi.ts';
import { joinPayload, splitPayload } from './split-payload.ts';

/** How the cells of a column are written: as they are, or as JSON where that would lose something. */
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export interface PayloadColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** One row for each test. An absent value is an empty cell. */
export interface PayloadTable {
  readonly columns: readonly PayloadColumn[];
  readonly rows: readonly (readonly (JsonValue | undefined)[])[];
}

const TIMES = ['test_uuid', 'start', 'end'];
const LABEL = 'label.';
const KPI = 'kpi.';
/** Everything that has no column of its own. */
const REST = 'payload';

export function payloadTable(payloads: readonly Payload[]): PayloadTable {
  const cells = payloads.map(cellsOf);
  const found = new Set(cells.flatMap((row) => [...row.keys()]));
  const ranked = [...found].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const columns = ranked.map((name) => ({ name, type: typeOf(cells.map((row) => row.get(name))) }));
  return { columns, rows: cells.map((row) => ranked.map((name) => row.get(name))) };
}

/** The document of one row; what is in a cell counts. */
export function rowDocument(
  columns: readonly PayloadColumn[],
  row: PayloadTable['rows'][number],
): JsonObject {
  const cells = columns.flatMap(({ name }, at): [string, JsonValue][] => {
    const value = row[at];
    return value === undefined ? [] : [[name, value]];
  });
  const under = (prefix: string) =>
    Object.fromEntries(
      cells.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
    );
  const rest = cells.find(([name]) => name === REST)?.[1];
  const document = joinPayload({
    labels: under(LABEL),
    values: under(KPI),
    rest: isJsonObject(rest) ? rest : { results: {} },
  });
  const times = Object.fromEntries(cells.filter(([name]) => TIMES.includes(name)));
  return { ...document, metadata: { ...(document['metadata'] as JsonObject), ...times } };
}

function cellsOf(payload: Payload): ReadonlyMap<string, JsonValue> {
  const { labels, values, rest } = splitPayload(payload);
  const { metadata, ...others } = rest;
  const facts = Object.entries(metadata as JsonObject);
  const own = facts.filter(([name]) => !TIMES.includes(name));
  return new Map<string, JsonValue>([
    ...facts.filter(([name]) => TIMES.includes(name)),
    ...Object.entries(labels).map(([name, value]) => [`${LABEL}${name}`, value] as const),
    ...Object.entries(values).map(([name, value]) => [`${KPI}${name}`, value] as const),
    [REST, { metadata: Object.fromEntries(own), ...others }],
  ]);
}

function rank(name: string): number {
  const time = TIMES.indexOf(name);
  if (time >= 0) return time;
  if (name === REST) return TIMES.length + 2;
  return TIMES.length + (name.startsWith(LABEL) ? 0 : 1);
}

function typeOf(values: readonly (JsonValue | undefined)[]): ColumnType {
  const there = values.filter((value) => value !== undefined);
  // An empty text would look like an absent one.
  if (there.every((value) => typeof value === 'string' && value !== '')) return 'text';
  if (there.every((value) => typeof value === 'number')) return 'number';
  return there.every((value) => typeof value === 'boolean') ? 'boolean' : 'json';
}
