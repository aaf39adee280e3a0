import type { Latest } from './call-points.ts';
import { type Call, isRef } from './check-calls.ts';
import { ALL_TIME } from './condition.ts';
import type { Group, Task } from './select.ts';
import { slotOf } from './slots.ts';
import { toVector } from './vector.ts';

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
