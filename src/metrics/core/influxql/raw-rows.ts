import { NightmarkError } from '../../../platform/core/errors.ts';
import type { ReadEnd } from '../points/point-reader.ts';
import type { FieldType } from '../points/points.ts';
import type { Member, Part } from './catalog.ts';
import type { Span } from './condition.ts';
import { compile, type Evaluated, filterVector, layOut, type Slot, seek } from './evaluate.ts';
import type { Group } from './group-series.ts';
import { isRef } from './parse/ast.ts';
import type { SelectedRows, Task } from './plan.ts';
import { type Cell, mergeOrder, type Vector } from './vector.ts';

export interface Answer {
  readonly rows: SelectedRows;
  readonly types: readonly FieldType[];
}

/** Rows as they were written: one for each timestamp of each series that has any of the fields. */
export function rawRows(task: Task): (group: Group) => Promise<Answer> {
  const { plan, schema, select, span, context } = task;
  const { slots, find } = layOut(
    plan.fields.map(({ expression }) => expression),
    schema,
  );
  const columns = plan.fields.map(({ expression }) => compile(expression, find));
  const types = columns.map(({ type }) => type);
  const { limit, offset } = select.rows;
  const end = limit === 0 ? undefined : endFor(limit + offset, select.isDescending);
  const [only] = slots;
  const isPlain = plan.fields.length === 1 && plan.fields.every(({ expression }) => isRef(expression));
  return async (group) => {
    const plain = isPlain && only ? await plainRows(group, only, { task, ...(end && { end }) }) : undefined;
    if (plain) return { rows: plain, types };
    const parts = await Promise.all(
      group.members.map((one) => memberRows(one, slots, { schema, span, ...(end && { end }) })),
    );
    const count = parts.reduce((sum, { ms }) => sum + ms.length, 0);
    if (limit === 0 && count > context.maxRows) throw tooLarge(count, context.maxRows);
    return { rows: mergedRows(parts, columns, select), types };
  };
}

/** Rows of several series in the order of the answer. */
function mergedRows(
  parts: readonly MemberRows[],
  columns: readonly Evaluated[],
  { rows: { limit, offset }, isDescending }: Task['select'],
): SelectedRows {
  const count = parts.reduce((sum, part) => sum + part.ms.length, 0);
  const ms = new Float64Array(count);
  const ns = new Int32Array(count);
  const starts: number[] = [];
  const source = new Uint32Array(count);
  let at = 0;
  for (const [part, timestamps] of parts.entries()) {
    starts.push(at);
    ms.set(timestamps.ms, at);
    ns.set(timestamps.ns, at);
    source.fill(part, at, at + timestamps.ms.length);
    at += timestamps.ms.length;
  }
  const order = mergeOrder({ ms, ns }, starts);
  if (isDescending) order.reverse();
  const kept = order.subarray(offset, limit === 0 ? count : offset + limit);
  const cells = columns.map(() => new Array<Cell>(kept.length));
  for (let i = 0; i < kept.length; i++) {
    const row = kept[i] as number;
    const part = source[row] as number;
    const found = parts[part]?.row(row - (starts[part] as number)) ?? [];
    for (let column = 0; column < cells.length; column++)
      (cells[column] as Cell[])[i] = (columns[column] as Evaluated).at(found);
  }
  return {
    ms: Float64Array.from(kept, (row) => ms[row] as number),
    ns: Int32Array.from(kept, (row) => ns[row] as number),
    cells,
  };
}

interface PlainQuery {
  readonly task: Task;
  readonly end?: ReadEnd;
}

/** Rows of one field of one series, the usual query: what was read is the answer. Undefined: it is another query. */
async function plainRows(
  { members }: Group,
  slot: Slot,
  { task: { select, span, context }, end }: PlainQuery,
): Promise<SelectedRows | undefined> {
  const [only] = members;
  if (only === undefined || members.length > 1 || only.rest !== undefined || slot.isTag) return undefined;
  const vector = await loadSlot(slot, only.member, { span, ...(end && { end }) });
  if (vector === undefined) return { ms: [], ns: [], cells: [[]] };
  const count = vector.ms.length;
  const { limit, offset } = select.rows;
  if (limit === 0 && count > context.maxRows) throw tooLarge(count, context.maxRows);
  const low = Math.min(count, offset);
  const high = limit === 0 ? count : Math.min(count, offset + limit);
  if (!select.isDescending) return columnsOf(vector, low, high);
  const { ms, ns, cells } = columnsOf(vector, count - high, count - low);
  return { ms: ms.toReversed(), ns: ns.toReversed(), cells: [cells[0].toReversed()] };
}

function columnsOf({ type, ms, ns, numbers, cells }: Vector, low: number, high: number) {
  const kept = cells ? cells.slice(low, high) : (numbers ?? new Float64Array(ms.length)).subarray(low, high);
  const shown = type === 'boolean' && !cells ? Array.from(kept, (value) => value !== 0) : kept;
  return { ms: ms.subarray(low, high), ns: ns.subarray(low, high), cells: [shown] as const };
}

function tooLarge(count: number, most: number): NightmarkError {
  return new NightmarkError('QUERY_TOO_LARGE', `max-select-point limit exceeded: (${count}/${most})`, {
    hint: 'Add LIMIT, a shorter range of time, or GROUP BY time(...).',
  });
}

interface MemberRows {
  readonly ms: Float64Array;
  readonly ns: Int32Array;
  row(index: number): readonly Cell[];
}

interface MemberQuery extends Part {
  readonly schema: Task['schema'];
  readonly span: Span;
}

/** The first rows of several fields are among the first values of each, and so are the last. */
function endFor(rows: number, isDescending: boolean): ReadEnd {
  return isDescending ? { last: rows } : { first: rows };
}

async function memberRows(
  one: Group['members'][number],
  slots: readonly Slot[],
  { schema, span, end }: MemberQuery,
): Promise<MemberRows> {
  const { member } = one;
  // A condition on fields leaves out rows: how many have to be read is unknown.
  const wanted = one.rest === undefined ? end : undefined;
  const vectors = await Promise.all(
    slots.map((slot) =>
      slot.isTag ? undefined : loadSlot(slot, member, { span, ...(wanted && { end: wanted }) }),
    ),
  );
  const timestamps = await filterVector(unionTimestamps(vectors), one, schema);
  const cells = slots.map((slot, place): readonly Cell[] | Cell => {
    const vector = vectors[place];
    if (slot.isTag) return member.tags.get(slot.name) ?? null;
    if (vector === undefined) return null;
    const at = [0];
    return Array.from(timestamps.ms, (ms, i) =>
      seek(vector, at, { slot: 0, ms, ns: timestamps.ns[i] as number }),
    );
  });
  return {
    ms: timestamps.ms,
    ns: timestamps.ns,
    row: (index) => cells.map((cell) => (Array.isArray(cell) ? (cell[index] as Cell) : (cell as Cell))),
  };
}

function loadSlot({ name, type }: Slot, member: Member, part: Part): Promise<Vector | undefined> {
  return member.fields.has(name) ? member.load(name, type, part) : Promise.resolve(undefined);
}

/** All timestamps of some vectors, each once. */
function unionTimestamps(vectors: readonly (Vector | undefined)[]): Vector {
  const some = vectors.filter((vector) => vector !== undefined);
  const [only] = some;
  if (only && some.length === 1) return { type: 'float', ms: only.ms, ns: only.ns };
  const count = some.reduce((sum, vector) => sum + vector.ms.length, 0);
  const all = { ms: new Float64Array(count), ns: new Int32Array(count) };
  const starts: number[] = [];
  let at = 0;
  for (const vector of some) {
    starts.push(at);
    all.ms.set(vector.ms, at);
    all.ns.set(vector.ns, at);
    at += vector.ms.length;
  }
  const ms = new Float64Array(count);
  const ns = new Int32Array(count);
  let kept = 0;
  for (const row of mergeOrder(all, starts)) {
    if (kept > 0 && ms[kept - 1] === all.ms[row] && ns[kept - 1] === all.ns[row]) continue;
    ms[kept] = all.ms[row] as number;
    ns[kept++] = all.ns[row] as number;
  }
  return { type: 'float', ms: ms.subarray(0, kept), ns: ns.subarray(0, kept) };
}
