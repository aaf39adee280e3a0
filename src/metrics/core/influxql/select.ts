import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PointReader } from '../points/point-reader.ts';
import type { FieldType } from '../points/points.ts';
import { aggregateRows } from './aggregate-rows.ts';
import { type Member, seriesKey, strongest, type Table, tablesOf } from './catalog.ts';
import { intersect, type Span, splitTime } from './condition.ts';
import { groupMembers, sliceGroups } from './group-series.ts';
import { collect, type Expression, isCall, isRef, type MeasurementSource, type Select } from './parse/ast.ts';
import { MAX_NS, toTimestamp } from './parse/time.ts';
import {
  columnNames,
  planSelect,
  readDimensions,
  type SelectContext,
  type SelectedSeries,
  schemaOf,
  type Task,
} from './plan.ts';
import { rawRows } from './raw-rows.ts';
import { type Cell, indexFrom, type Vector } from './vector.ts';

/** What an inner query inherits from the outer one. */
export interface Inherited {
  readonly span: Span;
  readonly tags: readonly string[];
  readonly interval?: Expression;
}

/** Rows that are yielded together: a step for each of ten thousand series would cost more than their rows. */
const ROWS_AT_ONCE = 1_000;

/** Answers a SELECT in batches of series. */
export async function* runSelect(
  original: Select,
  context: SelectContext,
  inherited?: Inherited,
): AsyncGenerator<readonly SelectedSeries[]> {
  const select = inherit(original, inherited);
  const { interval } = readDimensions(select, context.now);
  const { span: given, rest } = splitTime(select.where, context.now);
  const limited = interval && given.max === MAX_NS ? { min: given.min, max: context.now } : given;
  const span = inherited ? intersect(limited, inherited.span) : limited;
  const tables = await resolveTables(select, context, span);
  const schema = schemaOf(tables);
  const plan = planSelect(select, schema, context.now);
  const sorted = sliceGroups(groupMembers(tables, plan, rest), select.series);
  // Going backwards in time InfluxDB goes backwards in names, too.
  const groups = select.isDescending ? sorted.toReversed() : sorted;
  const task: Task = { select, plan, schema, span, context };
  const answer = plan.fields.some(({ expression }) => collect(expression, isCall).length > 0)
    ? await aggregateRows(task, groups)
    : rawRows(task);
  const columns = [plan.timeName, ...columnNames(plan.fields)];
  let [found, count]: [SelectedSeries[], number] = [[], 0];
  for (const group of groups) {
    stopIfCancelled(context.signal);
    const answered = answer(group);
    const { rows, types } = answered instanceof Promise ? await answered : answered;
    if (rows.ms.length === 0) continue;
    const { name, tags } = group;
    found.push(tags ? { name, tags, columns, types, rows } : { name, columns, types, rows });
    count += rows.ms.length;
    if (count < ROWS_AT_ONCE) continue;
    yield found;
    [found, count] = [[], 0];
  }
  yield found;
}

function inherit(select: Select, inherited: Inherited | undefined): Select {
  if (inherited === undefined) return select;
  const own = new Set(select.dimensions.filter(isRef).map(({ name }) => name));
  const added = inherited.tags.filter((tag) => !own.has(tag)).map((name) => ({ kind: 'ref' as const, name }));
  const isAggregate = select.fields.some(({ expression }) => collect(expression, isCall).length > 0);
  const needsInterval = inherited.interval && isAggregate && !select.dimensions.some(isCall);
  const interval = needsInterval && inherited.interval ? [inherited.interval] : [];
  return { ...select, dimensions: [...select.dimensions, ...added, ...interval] };
}

async function resolveTables(select: Select, context: SelectContext, span: Span): Promise<readonly Table[]> {
  const found: Table[] = [];
  for (const source of select.sources) {
    if (source.kind === 'subquery')
      found.push(...(await innerTable(source.select, { select, context, span })));
    else found.push(...measurementTables(source, context));
  }
  return found;
}

export function measurementTables(
  source: MeasurementSource,
  { reader, database }: Pick<SelectContext, 'reader' | 'database'>,
): readonly Table[] {
  const name = source.database ?? database;
  needDatabase(reader, name);
  if (source.policy !== undefined && source.policy !== 'autogen') {
    throw new NightmarkError('QUERY_REFUSED', `retention policy not found: ${source.policy}`, {
      hint: 'The only policy is "autogen"; leave it out.',
    });
  }
  const wanted = source.name;
  return tablesOf(reader, name).filter((table) =>
    typeof wanted === 'string' ? table.name === wanted : wanted.test(table.name),
  );
}

export function needDatabase(reader: PointReader, name: string): void {
  if (name === '') throw new NightmarkError('QUERY_NO_DATABASE', 'database name required');
  if (!reader.databases().includes(name)) {
    throw new NightmarkError('QUERY_NO_DATABASE', `database not found: ${name}`, {
      hint: 'SHOW DATABASES lists those there are.',
    });
  }
}

export function stopIfCancelled(signal: Pick<CancelSignal, 'aborted'> | undefined): void {
  if (signal?.aborted) throw new NightmarkError('QUERY_CANCELLED', 'query interrupted');
}

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
async function innerTable(inner: Select, { select, context, span }: Outer): Promise<readonly Table[]> {
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
  const low = indexFrom(vector, toTimestamp(min));
  const high = indexFrom(vector, toTimestamp(max + 1n));
  const { type, ms, ns, numbers, cells } = vector;
  return {
    type,
    ms: ms.subarray(low, high),
    ns: ns.subarray(low, high),
    ...(numbers ? { numbers: numbers.subarray(low, high) } : {}),
    ...(cells ? { cells: cells.slice(low, high) } : {}),
  };
}
