import { NightmarkError } from '../errors.ts';
import type { FieldType } from '../model/points.ts';
import type { PointReader } from '../ports/point-reader.ts';
import type { CancelSignal } from '../signal.ts';
import { aggregateRows } from './aggregate-rows.ts';
import type { Expression, MeasurementSource, Select, Slice } from './ast.ts';
import { compareText, type Member, type Table, tablesOf } from './catalog.ts';
import { isCall, isRef } from './check-calls.ts';
import { intersect, reduceByTags, type Span, splitTime } from './condition.ts';
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
  readonly signal?: CancelSignal;
}

export interface SelectedRows {
  readonly ms: readonly number[];
  readonly ns: readonly number[];
  /** One array for each row, without its time. */
  readonly cells: readonly (readonly Cell[])[];
}

export interface SelectedSeries {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly types: readonly FieldType[];
  readonly rows: SelectedRows;
}

/** Members that share the tags of GROUP BY, with what is left to ask about their fields. */
export interface Group {
  readonly name: string;
  readonly values: readonly string[];
  readonly members: readonly { readonly member: Member; readonly rest?: Expression }[];
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

/** Answers a SELECT, one series of the answer after the other. */
export async function* runSelect(
  original: Select,
  context: SelectContext,
  inherited?: Inherited,
): AsyncGenerator<SelectedSeries> {
  const select = inherit(original, inherited);
  const { interval } = readDimensions(select, context.now);
  const { span: asked, rest } = splitTime(select.where, context.now);
  const limited = interval && asked.max === MAX_NS ? { min: asked.min, max: context.now } : asked;
  const span = inherited ? intersect(limited, inherited.span) : limited;
  const tables = await resolveTables(select, context, span);
  const schema = schemaOf(tables);
  const plan = planSelect(select, schema, context.now);
  const groups = sliceGroups(groupMembers(tables, plan, rest), select.series);
  // Going backwards in time InfluxDB goes backwards in names, too.
  if (select.isDescending) groups.reverse();
  const task: Task = { select, plan, schema, span, context };
  const answer = plan.fields.some(({ expression }) => collect(expression, isCall).length > 0)
    ? await aggregateRows(task, groups)
    : rawRows(task);
  const columns = [plan.timeName, ...columnNames(plan.fields)];
  for (const group of groups) {
    stopIfCancelled(context.signal);
    const { rows, types } = await answer(group);
    if (rows.ms.length === 0) continue;
    const tags = Object.fromEntries(plan.dimensions.map((key, i) => [key, group.values[i] ?? '']));
    yield { name: group.name, ...(plan.dimensions.length > 0 ? { tags } : {}), columns, types, rows };
  }
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

/** SLIMIT and SOFFSET, in each measurement by the order of InfluxDB's index: there a missing tag comes last. */
function sliceGroups(groups: Group[], { limit, offset }: Slice): Group[] {
  if (limit === 0 && offset === 0) return groups;
  const keyOf = ({ values }: Group) => values.join('|');
  const kept = new Set<Group>();
  for (const name of new Set(groups.map((group) => group.name))) {
    const own = groups.filter((group) => group.name === name).sort((a, b) => compareText(keyOf(a), keyOf(b)));
    for (const group of own.slice(offset, limit === 0 ? undefined : offset + limit)) kept.add(group);
  }
  return groups.filter((group) => kept.has(group));
}

function groupMembers(tables: readonly Table[], plan: Plan, rest: Expression | undefined): Group[] {
  const groups = new Map<string, { name: string; values: string[]; members: Group['members'][number][] }>();
  for (const table of tables) {
    for (const member of table.members) {
      const left =
        rest === undefined
          ? true
          : reduceByTags(rest, {
              isField: (name) => table.fields.has(name),
              tag: (name) => member.tags.get(name) ?? '',
            });
      if (left === false) continue;
      const values = plan.dimensions.map((key) => member.tags.get(key) ?? '');
      const key = `${member.name}\0${values.join('\0')}`;
      const group = groups.get(key) ?? { name: member.name, values, members: [] };
      groups.set(key, group);
      group.members.push(left === true ? { member } : { member, rest: left });
    }
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}

export function stopIfCancelled(signal: CancelSignal | undefined): void {
  if (signal?.aborted) throw new NightmarkError('QUERY_CANCELLED', 'query interrupted');
}
