import type { ColumnValues } from '../points.ts';
import type { Latest } from './call-points.ts';
import { type Call, isRef } from './check-calls.ts';
import { ALL_TIME } from './condition.ts';
import type { Group } from './groups.ts';
import type { Answer } from './raw-rows.ts';
import type { Task } from './select.ts';
import { slotOf } from './slots.ts';
import { cellAt, toVector } from './vector.ts';

/** last() over all time needs the newest value of each column only: they are asked for at once. */
export async function latestOf(
  calls: readonly Call[],
  task: Task,
  groups: readonly Group[],
): Promise<Latest> {
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
 * Whole answers for groups of one series whose newest value is known: ten thousand of them are asked for at once. The
 * only call may stand among tags.
 */
export function latestAnswers(
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
