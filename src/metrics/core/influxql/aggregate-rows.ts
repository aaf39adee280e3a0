import type { FieldType } from '../points.ts';
import type { Expression, Select } from './ast.ts';
import { type Computed, callPoints } from './call-points.ts';
import { type Call, isCall, isRef } from './check-calls.ts';
import { compile, type Evaluated } from './evaluate.ts';
import type { Group } from './groups.ts';
import { latestAnswers, latestOf } from './latest.ts';
import { collect } from './names.ts';
import { canPass, onePass } from './one-pass.ts';
import type { Answer } from './raw-rows.ts';
import { SELECTORS } from './reduce.ts';
import type { Task } from './select.ts';
import { type Slot, slotOf } from './slots.ts';
import { type Cell, cellAt, indexFrom } from './vector.ts';

/** Rows made by functions: each call gives points, those of one moment become one row. */
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
  /** Groups hardly ever differ in the types of their calls: what was compiled is used again. */
  const columnsFor = (computed: readonly Computed[]) => {
    const types = computed.map(({ type }) => type).join();
    if (compiled?.types !== types) {
      const find = placeOf(calls, computed, { refs, beside });
      compiled = { types, columns: expressions.map((expression) => compile(expression, find)) };
    }
    return compiled.columns;
  };
  const known = calls.length === 1 ? latestAnswers(calls[0] as Call, task, latest) : undefined;
  // A point that was chosen is needed itself where its own time is shown, or what stands beside it.
  const mayPass = canPass(calls) && refs.length === 0 && (!isSelector || task.plan.interval !== undefined);
  const compute = async (group: Group): Promise<Answer> => {
    const passed = mayPass ? await onePass(calls, group, task) : undefined;
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

/** Points of several calls by moment. */
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

/** What stands where a column has nothing at a moment that others have. */
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
          const moment = { ms: vector.ms[index] as number, ns: vector.ns[index] as number };
          const other = await member.load(slot.name, slot.type);
          const found = other ? indexFrom(other, moment) : 0;
          if (other && other.ms[found] === moment.ms && other.ns[found] === moment.ns)
            value = cellAt(other, found);
        }
      }
      cells.push(value);
    }
    rows.push({ ms, ns, cells });
  }
  return rows;
}
