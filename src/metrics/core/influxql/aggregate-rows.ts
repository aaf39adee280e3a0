import type { ColumnValues, FieldType } from '../points/points.ts';
import { type Computed, callPoints, type Latest } from './call-points.ts';
import { ALL_TIME } from './condition.ts';
import { compile, type Evaluated, type Slot, slotOf } from './evaluate.ts';
import type { Group } from './group-series.ts';
import { isStreamable, streamAggregates } from './one-pass.ts';
import { type Call, collect, type Expression, isCall, isRef, type Select } from './parse/ast.ts';
import type { Task } from './plan.ts';
import type { Answer } from './raw-rows.ts';
import { SELECTORS } from './reduce.ts';
import { type Cell, cellAt, indexFrom, toVector } from './vector.ts';

/** Rows of functions: each call yields points, and those of one timestamp become one row. */
export async function aggregateRows(
  task: Task,
  groups: readonly Group[],
): Promise<(group: Group) => Answer | Promise<Answer>> {
  const expressions = task.plan.fields.map(({ expression }) => expression);
  const calls = uniqueCalls(expressions);
  const isSelector = calls.length === 1 && SELECTORS.has(calls[0]?.name ?? '');
  const refs = expressions
    .flatMap((expression) => collect(expression, (part) => isCall(part) || isRef(part)))
    .filter(isRef);
  const beside = refs.map((ref) => slotOf(ref, task.schema));
  const latest = await latestOf(calls, task, groups);
  let compiled: { readonly types: string; readonly columns: readonly Evaluated[] } | undefined;
  /** Groups hardly ever differ in the types of their calls: the compiled columns are reused. */
  const columnsFor = (computed: readonly Computed[]) => {
    const types = computed.map(({ type }) => type).join();
    if (compiled?.types !== types) {
      const find = placeOf(calls, computed, { refs, beside });
      compiled = { types, columns: expressions.map((expression) => compile(expression, find)) };
    }
    return compiled.columns;
  };
  const known = calls.length === 1 ? latestAnswers(calls[0] as Call, task, latest) : undefined;
  // A selected point is needed itself where its own time is shown, or fields beside it.
  const mayPass =
    isStreamable(calls) && refs.length === 0 && (!isSelector || task.plan.interval !== undefined);
  const compute = async (group: Group): Promise<Answer> => {
    const passed = mayPass ? await streamAggregates(calls, group, task) : undefined;
    const computed: Computed[] = [...(passed ?? [])];
    const loaded = new Map();
    if (!passed)
      for (const call of calls)
        computed.push(await callPoints(call, group, { task, isSelector, latest, loaded }));
    const columns = columnsFor(computed);
    const joined = isSelector
      ? await withBeside(computed[0] as Computed, { beside, group, missing: missingCell(task.select) })
      : join(computed, task.select);
    const { limit, offset } = task.select.rows;
    const kept = joined.slice(offset, limit === 0 ? undefined : offset + limit);
    return {
      types: columns.map(({ type }) => type),
      rows: {
        ms: kept.map(({ ms }) => ms),
        ns: kept.map(({ ns }) => ns),
        cells: columns.map((column) => kept.map(({ cells }) => column.at(cells))),
      },
    };
  };
  return (group) => known?.(group) ?? compute(group);
}

/** The same call is made once. */
function uniqueCalls(expressions: readonly Expression[]): readonly Call[] {
  const calls = expressions.flatMap((expression) => collect(expression, isCall)).filter(isCall);
  return [...new Map(calls.map((call) => [keyOf(call), call])).values()];
}

function keyOf(expression: Expression): string {
  return JSON.stringify(expression, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
}

function placeOf(
  calls: readonly Call[],
  computed: readonly Computed[],
  { refs, beside }: { readonly refs: readonly Expression[]; readonly beside: readonly (Slot | undefined)[] },
) {
  return (expression: Expression) => {
    const call = calls.findIndex((each) => each === expression || keyOf(each) === keyOf(expression));
    if (call >= 0) return { slot: call, type: computed[call]?.type ?? ('float' as FieldType) };
    const ref = refs.indexOf(expression);
    const slot = beside[ref];
    return slot ? { slot: calls.length + ref, type: slot.type } : undefined;
  };
}

interface Row {
  readonly ms: number;
  readonly ns: number;
  readonly cells: Cell[];
}

/** Points of several calls by timestamp. */
function join(computed: readonly Computed[], select: Select): readonly Row[] {
  const [only] = computed;
  if (only && computed.length === 1)
    return only.points.map(({ ms, ns, cell }) => ({ ms, ns, cells: [cell] }));
  const at = computed.map(() => 0);
  const rows: Row[] = [];
  const sign = select.isDescending ? -1 : 1;
  const missing = missingCell(select);
  for (;;) {
    let next: { ms: number; ns: number } | undefined;
    for (const [i, { points }] of computed.entries()) {
      const point = points[at[i] as number];
      if (point && (next === undefined || sign * (point.ms - next.ms || point.ns - next.ns) < 0))
        next = point;
    }
    if (next === undefined) return rows;
    const { ms, ns } = next;
    const cells = computed.map(({ points }, i) => {
      const point = points[at[i] as number];
      if (point === undefined || point.ms !== ms || point.ns !== ns) return missing;
      at[i] = (at[i] as number) + 1;
      return point.cell;
    });
    rows.push({ ms, ns, cells });
  }
}

interface Beside {
  readonly beside: readonly (Slot | undefined)[];
  readonly group: Group;
  readonly missing: Cell;
}

/** The cell of a column without a value at a timestamp of others. */
function missingCell({ fill }: Select): Cell {
  return fill.kind === 'number' ? fill.value : null;
}

/** A selector with the other fields and tags of the point that it chose. */
async function withBeside(
  { points, vector, members }: Computed,
  { beside, group, missing }: Beside,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { ms, ns, cell, index } of points) {
    const cells: Cell[] = [cell];
    const member =
      index === undefined ? undefined : group.members[members[vector.from?.[index] ?? 0] ?? 0]?.member;
    for (const slot of beside) {
      let value: Cell = index === undefined ? missing : null;
      if (slot && member && index !== undefined) {
        if (slot.isTag) value = member.tags.get(slot.name) ?? null;
        else {
          const timestamp = { ms: vector.ms[index] as number, ns: vector.ns[index] as number };
          const other = await member.load(slot.name, slot.type);
          const found = other ? indexFrom(other, timestamp) : 0;
          if (other && other.ms[found] === timestamp.ms && other.ns[found] === timestamp.ns)
            value = cellAt(other, found);
        }
      }
      cells.push(value);
    }
    rows.push({ ms, ns, cells });
  }
  return rows;
}

/** last() over all time needs the newest value of each column only: they are read at once. */
async function latestOf(calls: readonly Call[], task: Task, groups: readonly Group[]): Promise<Latest> {
  const latest: Latest = new Map();
  const { span, plan, schema, context } = task;
  if (plan.interval || span.min !== ALL_TIME.min || span.max !== ALL_TIME.max) return latest;
  const wanted = new Map<number, Parameters<typeof toVector>[1]>();
  for (const { name, args } of calls) {
    const [of] = args;
    const slot = name === 'last' && of && isRef(of) ? slotOf(of, schema) : undefined;
    if (!slot || slot.isTag) continue;
    for (const { members } of groups) {
      for (const { member, rest } of members) {
        const column = rest === undefined ? member.column(slot.name) : undefined;
        if (column !== undefined) wanted.set(column, slot.type);
      }
    }
  }
  const columns = [...wanted.keys()];
  if (columns.length === 0) return latest;
  const newest = await context.reader.latest(columns);
  let place = 0;
  for (const [column, type] of wanted) latest.set(column, toVector(newest[place++] as ColumnValues, type));
  return latest;
}

/**
 * Complete answers for groups of one series whose newest value was read: there may be ten thousand. The only call may
 * have tags beside it.
 */
function latestAnswers(
  call: Call,
  { schema, select, plan }: Task,
  latest: Latest,
): ((group: Group) => Answer | undefined) | undefined {
  const [of] = call.args;
  const slot = call.name === 'last' && of && isRef(of) ? slotOf(of, schema) : undefined;
  if (!slot || slot.isTag || latest.size === 0) return undefined;
  const slots = plan.fields.map(({ expression }) => {
    if (expression === call) return slot;
    const beside = isRef(expression) ? slotOf(expression, schema) : undefined;
    return beside?.isTag ? beside : undefined;
  });
  if (!slots.every((one) => one !== undefined)) return undefined;
  const types = slots.map(({ type }) => type);
  const nothing: Answer = { types, rows: { ms: [], ns: [], cells: slots.map(() => []) } };
  return ({ members }) => {
    const only = members.length === 1 ? members[0] : undefined;
    const column = only && only.rest === undefined ? only.member.column(slot.name) : undefined;
    const vector = column === undefined ? undefined : latest.get(column);
    if (vector === undefined) return undefined;
    const { ms, ns, numbers, cells } = vector;
    if (ms.length === 0 || select.rows.offset > 0) return nothing;
    const isNumber = numbers && !cells && slot.type !== 'boolean';
    const newest = isNumber ? numbers : [cellAt(vector, 0)];
    if (slots.length === 1) return { types, rows: { ms, ns, cells: [newest] } };
    const tags = only?.member.tags;
    return {
      types,
      rows: { ms, ns, cells: slots.map((one) => (one === slot ? newest : [tags?.get(one.name) ?? null])) },
    };
  };
}
