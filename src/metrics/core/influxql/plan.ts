import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { PointReader } from '../points/point-reader.ts';
import type { FieldType } from '../points/points.ts';
import { compareText, strongest, type Table } from './catalog.ts';
import { checkSelect } from './check-select.ts';
import type { Span } from './condition.ts';
import type { GroupTags } from './group-series.ts';
import {
  type Call,
  type Expression,
  isCall,
  isTimeRef,
  replace,
  type Select,
  type SelectedField,
} from './parse/ast.ts';
import { queryError } from './parse/lexer.ts';
import type { Interval } from './time-windows.ts';
import type { Cell } from './vector.ts';

export interface Schema {
  readonly fields: ReadonlyMap<string, FieldType>;
  readonly tagKeys: ReadonlySet<string>;
}

export interface Plan {
  readonly fields: readonly SelectedField[];
  readonly timeName: string;
  /** Tag keys of the groups, sorted. */
  readonly dimensions: readonly string[];
  readonly interval?: Interval;
}

export function schemaOf(tables: readonly Table[]): Schema {
  const fields = new Map<string, FieldType>();
  const tagKeys = new Set<string>();
  for (const table of tables) {
    for (const [name, type] of table.fields) fields.set(name, strongest(fields.get(name), type));
    for (const key of table.tagKeys) tagKeys.add(key);
  }
  return { fields, tagKeys };
}

/** The part of a plan that does not depend on the sources. */
export function readDimensions(
  select: Select,
  now: bigint,
): { interval?: Interval; tags: readonly Expression[] } {
  const tags: Expression[] = [];
  let interval: Interval | undefined;
  for (const dimension of select.dimensions) {
    if (isCall(dimension)) {
      if (interval) throw queryError('multiple time dimensions not allowed');
      interval = { ...readInterval(dimension, now), ...(select.zone && { zone: select.zone }) };
    } else if (dimension.kind === 'ref' || dimension.kind === 'star' || dimension.kind === 'regex')
      tags.push(dimension);
    else throw queryError('only time and tag dimensions allowed');
  }
  return interval && interval.length > 0n ? { interval, tags } : { tags };
}

function readInterval({ name, args }: Call, now: bigint): Interval {
  if (name !== 'time') throw queryError('only time() calls allowed in dimensions');
  const [length, offset] = args;
  if (length?.kind !== 'duration') throw queryError('time dimension must have duration argument');
  if (offset === undefined) return { length: length.ns, offset: 0n };
  if (offset.kind === 'duration') return { length: length.ns, offset: offset.ns };
  if (isCall(offset) && offset.name === 'now') return { length: length.ns, offset: now % (length.ns || 1n) };
  throw queryError('time dimension offset must be duration or now()');
}

/** Checks a SELECT, and expands wildcards and patterns to names. */
export function planSelect(select: Select, schema: Schema, now: bigint): Plan {
  const { interval, tags } = readDimensions(select, now);
  checkSelect(select, interval !== undefined);
  const dimensions = expandDimensions(tags, schema);
  // Where groups are named by a wildcard, InfluxDB shows no tags among the fields.
  const hidden = new Set(tags.some(({ kind }) => kind !== 'ref') ? schema.tagKeys : dimensions);
  const time = select.fields.find(({ expression }) => isTimeRef(expression));
  const fields = select.fields
    .filter(({ expression }) => !isTimeRef(expression))
    .flatMap((field) => expandField(field, schema, hidden));
  return { fields, timeName: time?.alias ?? 'time', dimensions, ...(interval ? { interval } : {}) };
}

function expandDimensions(wanted: readonly Expression[], { tagKeys, fields }: Schema): readonly string[] {
  const found = new Set<string>();
  for (const part of wanted) {
    if (part.kind === 'ref') found.add(part.name);
    else for (const key of tagKeys) if (part.kind !== 'regex' || part.pattern.test(key)) found.add(key);
  }
  return [...found].filter((name) => !(fields.has(name) && !tagKeys.has(name))).sort(compareText);
}

function expandField(
  field: SelectedField,
  schema: Schema,
  dimensions: ReadonlySet<string>,
): readonly SelectedField[] {
  const { expression, alias } = field;
  if (expression.kind === 'star' || expression.kind === 'regex') {
    return wildNames(expression, schema, dimensions).map((name) => ({ expression: { kind: 'ref', name } }));
  }
  const wild = isCall(expression) ? wildArgument(expression) : undefined;
  if (wild === undefined || !isCall(expression)) return expandColumns(field);
  const names = wildNames(wild, { fields: schema.fields, tagKeys: new Set() }, dimensions).filter((name) =>
    isTaken(innermost(expression).name, schema.fields.get(name) ?? 'float'),
  );
  return names.map((name) => ({
    expression: replace(expression, (part) => (part === wild ? { kind: 'ref', name } : undefined)),
    alias: `${alias ?? nameOf(expression)}_${name}`,
  }));
}

/** top(v, host, 2) shows the tag beside the value. */
function expandColumns(field: SelectedField): readonly SelectedField[] {
  const { expression } = field;
  if (!isCall(expression) || (expression.name !== 'top' && expression.name !== 'bottom')) return [field];
  return [field, ...expression.args.slice(1, -1).map((part) => ({ expression: part }))];
}

function innermost(call: Call): Call {
  const [first] = call.args;
  return first && isCall(first) ? innermost(first) : call;
}

function wildArgument(call: Call): Expression | undefined {
  const [first] = innermost(call).args;
  return first?.kind === 'star' || first?.kind === 'regex' ? first : undefined;
}

function isTaken(call: string, type: FieldType): boolean {
  if (['count', 'first', 'last', 'distinct', 'mode', 'elapsed', 'sample'].includes(call)) return true;
  return type === 'boolean' ? call === 'min' || call === 'max' : type !== 'string';
}

function wildNames(
  wild: Expression,
  { fields, tagKeys }: Schema,
  dimensions: ReadonlySet<string>,
): readonly string[] {
  const of = wild.kind === 'star' ? wild.of : undefined;
  const names = new Set<string>(of === 'tag' ? [] : fields.keys());
  if (of !== 'field') for (const key of tagKeys) if (!dimensions.has(key)) names.add(key);
  return [...names].filter((name) => wild.kind !== 'regex' || wild.pattern.test(name)).sort(compareText);
}

/** Names of result columns: aliases as they are, others made from the expression, with a number when the name is in use. */
export function columnNames(fields: readonly SelectedField[]): readonly string[] {
  const taken = new Map<string, number>();
  for (const { alias } of fields) if (alias !== undefined) taken.set(alias, 0);
  return fields.map(({ expression, alias }) => {
    if (alias !== undefined) return alias;
    const base = nameOf(expression);
    const count = taken.get(base);
    taken.set(base, (count ?? -1) + 1);
    if (count === undefined) return base;
    let number = count + 1;
    while (taken.has(`${base}_${number}`)) number++;
    taken.set(base, number);
    taken.set(`${base}_${number}`, 0);
    return `${base}_${number}`;
  });
}

export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'ref':
    case 'call':
      return expression.name;
    case 'paren':
      return nameOf(expression.inner);
    case 'binary':
      return [nameOf(expression.left), nameOf(expression.right)].filter((name) => name !== '').join('_');
    default:
      return '';
  }
}

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

/** Everything that is needed to answer a SELECT for a group. */
export interface Task {
  readonly select: Select;
  readonly plan: Plan;
  readonly schema: Schema;
  readonly span: Span;
  readonly context: SelectContext;
}
