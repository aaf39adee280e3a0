import type { Latest } from './call-points.ts';
import { type Call, isRef } from './check-calls.ts';
import { ALL_TIME } from './condition.ts';
import type { Answer } from './raw-rows.ts';
import type { Group, Task } from './select.ts';
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
    for (const { member, rest } of groups.flatMap(({ members }) => members)) {
      const column = rest === undefined ? member.column(slot.name) : undefined;
      if (column !== undefined) wanted.set(column, slot.type);
    }
  }
  const columns = [...wanted.keys()];
  if (columns.length === 0) return latest;
  for (const [i, values] of (await context.reader.latest(columns)).entries()) {
    const column = columns[i] as number;
    latest.set(column, toVector(values, wanted.get(column) ?? 'float'));
  }
  return latest;
}

const NOTHING = { ms: [], ns: [], cells: [] };

/** The whole answer for a group of one series whose newest value is known: ten thousand of them are asked for at once. */
export function latestAnswer(
  { name, args: [of] }: Call,
  { members }: Group,
  { task, latest }: { readonly task: Task; readonly latest: Latest },
): Answer | undefined {
  const [only] = members;
  if (name !== 'last' || members.length !== 1 || !only || only.rest !== undefined || latest.size === 0)
    return undefined;
  const slot = of && isRef(of) ? slotOf(of, task.schema) : undefined;
  const column = slot && !slot.isTag ? only.member.column(slot.name) : undefined;
  const vector = column === undefined ? undefined : latest.get(column);
  if (!slot || vector === undefined) return undefined;
  const types = [slot.type];
  if (vector.ms.length === 0 || task.select.rows.offset > 0) return { types, rows: NOTHING };
  const rows = { ms: [vector.ms[0] as number], ns: [vector.ns[0] as number], cells: [[cellAt(vector, 0)]] };
  return { types, rows };
}
