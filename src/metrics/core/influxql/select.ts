import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PointReader } from '../point-reader.ts';
import type { FieldType } from '../points.ts';
import { aggregateRows } from './aggregate-rows.ts';
import type { Expression, MeasurementSource, Select } from './ast.ts';
import { type Table, tablesOf } from './catalog.ts';
import { isCall, isRef } from './check-calls.ts';
import { intersect, type Span, splitTime } from './condition.ts';
import { type GroupTags, groupMembers, sliceGroups } from './groups.ts';
import { collect, columnNames } from './names.ts';
import { type Plan, planSelect, readDimensions, type Schema, schemaOf } from './plan.ts';
import { rawRows } from './raw-rows.ts';
import { innerTable } from './subquery.ts';
import { MAX_NS } from './time.ts';
import type { Cell } from './vector.ts';

export interface SelectContext {
  readonly reader: PointReader;
  readonly database: string;
  readonly now: bigint;
  readonly maxRows: number;
  readonly signal?: Pick<CancelSignal, 'aborted'>;
}

export interface SelectedRows {
  readonly ms: ArrayLike<number>;
  readonly ns: ArrayLike<number>;
  /** One for each column but the time, as long as the times. */
  readonly cells: readonly ArrayLike<Cell>[];
}

export interface SelectedSeries {
  readonly name: string;
  readonly tags?: GroupTags;
  readonly columns: readonly string[];
  readonly types: readonly FieldType[];
  readonly rows: SelectedRows;
}

/** What a group is asked. */
export interface Task {
  readonly select: Select;
  readonly plan: Plan;
  readonly schema: Schema;
  readonly span: Span;
  readonly context: SelectContext;
}

/** What an outer query hands to an inner one. */
export interface Inherited {
  readonly span: Span;
  readonly tags: readonly string[];
  readonly interval?: Expression;
}

/** Rows that are handed on together: a step for each of ten thousand series would cost more than their rows. */
const ROWS_AT_ONCE = 1_000;

/** Answers a SELECT, some series of the answer after the other. */
export async function* runSelect(
  original: Select,
  context: SelectContext,
  inherited?: Inherited,
): AsyncGenerator<readonly SelectedSeries[]> {
  const select = inherit(original, inherited);
  const { interval } = readDimensions(select, context.now);
  const { span: asked, rest } = splitTime(select.where, context.now);
  const limited = interval && asked.max === MAX_NS ? { min: asked.min, max: context.now } : asked;
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
