import type { FieldType } from '../points.ts';
import type { Select } from './ast.ts';
import { type Member, seriesKey, strongest, type Table } from './catalog.ts';
import { isCall, isRef } from './check-calls.ts';
import type { Span } from './condition.ts';
import { readDimensions } from './plan.ts';
import { runSelect, type SelectContext, type SelectedSeries } from './select.ts';
import { toMoment } from './time.ts';
import { type Cell, indexFrom, type Vector } from './vector.ts';

interface Outer {
  readonly select: Select;
  readonly context: SelectContext;
  readonly span: Span;
}

interface Draft {
  readonly fields: Map<string, FieldType>;
  readonly tagKeys: Set<string>;
  readonly members: Member[];
}

/** The answer of an inner query as measurements that the outer one reads. */
export async function innerTable(inner: Select, { select, context, span }: Outer): Promise<readonly Table[]> {
  const { tags } = readDimensions(select, context.now);
  const names = tags.filter(isRef).map(({ name }) => name);
  const shown = new Set(
    inner.fields.map(({ expression, alias }) => alias ?? (isRef(expression) ? expression.name : '')),
  );
  const interval = select.dimensions.find(isCall);
  const inherited = {
    span,
    tags: [...new Set(names)].filter((name) => name !== 'time' && !shown.has(name)),
    ...(interval ? { interval } : {}),
  };
  const tables = new Map<string, Draft>();
  for await (const series of flat(runSelect(inner, context, inherited))) {
    const table: Draft = tables.get(series.name) ?? { fields: new Map(), tagKeys: new Set(), members: [] };
    tables.set(series.name, table);
    const member = toMember(series);
    table.members.push(member);
    for (const key of member.tags.keys()) table.tagKeys.add(key);
    for (const [name, type] of member.fields) table.fields.set(name, strongest(table.fields.get(name), type));
  }
  return [...tables].map(([name, table]) => ({ name, ...table }));
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}

function toMember({ name, tags, columns, types, rows }: SelectedSeries): Member {
  const fields = new Map(types.map((type, i) => [columns[i + 1] ?? '', type]));
  const given = new Map(Object.entries(tags?.values ?? {}).filter(([, value]) => value !== ''));
  return {
    name,
    key: seriesKey({ name, tags: given }),
    tags: given,
    fields,
    column: () => undefined,
    load: async (field, type, { span } = {}) => {
      const slot = columns.indexOf(field) - 1;
      if (slot < 0) return undefined;
      const vector = columnVector(rows, slot, type);
      return span === undefined ? vector : cut(vector, span);
    },
  };
}

function columnVector(rows: SelectedSeries['rows'], slot: number, type: FieldType): Vector {
  const { ms, ns, cells: columns } = rows;
  const column = columns[slot] ?? [];
  const kept = Array.from(ms, (_, row) => row).filter((row) => (column[row] ?? null) !== null);
  if (kept.length > 1 && (ms[0] ?? 0) > (ms[ms.length - 1] ?? 0)) kept.reverse();
  const cells = kept.map((row): Cell => column[row] ?? null);
  return {
    type,
    ms: Float64Array.from(kept, (row) => ms[row] ?? 0),
    ns: Int32Array.from(kept, (row) => ns[row] ?? 0),
    ...(type === 'string' ? { cells } : { numbers: Float64Array.from(cells, Number) }),
    ...(cells.some((cell) => typeof cell === 'bigint') ? { cells } : {}),
  };
}

function cut(vector: Vector, { min, max }: Span): Vector {
  const low = indexFrom(vector, toMoment(min));
  const high = indexFrom(vector, toMoment(max + 1n));
  const { type, ms, ns, numbers, cells } = vector;
  return {
    type,
    ms: ms.subarray(low, high),
    ns: ns.subarray(low, high),
    ...(numbers ? { numbers: numbers.subarray(low, high) } : {}),
    ...(cells ? { cells: cells.slice(low, high) } : {}),
  };
}
