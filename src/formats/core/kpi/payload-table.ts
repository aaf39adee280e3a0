import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Payload } from './kpi.ts';

/** How the cells of a column are written: as they are, or as JSON where that would lose something. */
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'json'] as const;
type ColumnType = (typeof COLUMN_TYPES)[number];

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

/** A payload as tables have it: labels and values in cells of their own, everything else beside them. */
interface SplitPayload {
  readonly labels: JsonObject;
  /** By the name of the KPI. */
  readonly values: JsonObject;
  /** The payload without the two. */
  readonly rest: JsonObject;
}

export function splitPayload(payload: Payload): SplitPayload {
  const { settings, ...metadata } = payload.metadata;
  const values: [string, JsonValue][] = [];
  const kpis = Object.entries(payload.kpis).map(([name, kpi]) => {
    const { value, ...others } = kpi;
    if (value !== undefined) values.push([name, value]);
    return [name, others] as const;
  });
  const rest = { ...payload, metadata, kpis: Object.fromEntries(kpis) } as unknown as JsonObject; // made of JSON values
  return { labels: settings, values: Object.fromEntries(values), rest };
}

/** The reverse of `splitPayload`. Whether it is a payload is for the reader to check. */
export function joinPayload({ labels, values, rest }: SplitPayload): JsonObject {
  const { metadata, kpis } = rest;
  const names = isJsonObject(kpis) ? Object.keys(kpis) : [];
  const added = Object.keys(values).filter((name) => !names.includes(name));
  const whole = [...names, ...added].map((name) => {
    const others = isJsonObject(kpis) && Object.hasOwn(kpis, name) ? kpis[name] : undefined;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return [name, { ...(isJsonObject(others) && others), ...(value !== undefined && { value }) }] as const;
  });
  return {
    ...rest,
    metadata: { ...(isJsonObject(metadata) && metadata), settings: labels },
    kpis: Object.fromEntries(whole),
  };
}
