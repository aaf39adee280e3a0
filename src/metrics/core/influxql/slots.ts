import type { FieldType } from '../points.ts';
import type { Expression } from './ast.ts';
import type { Member } from './catalog.ts';
import { isRef } from './check-calls.ts';
import { compile, type FindSlot } from './evaluate.ts';
import { collect } from './names.ts';
import type { Schema } from './plan.ts';
import { type Cell, cellAt, pick, type Vector } from './vector.ts';

/** A name that rows have a place for. */
export interface Slot {
  readonly name: string;
  readonly type: FieldType;
  readonly isTag: boolean;
}

type Ref = Expression & { readonly kind: 'ref' };

/** What a name means: a field, else a tag; undefined: neither. */
export function slotOf({ name, type }: Ref, { fields, tagKeys }: Schema): Slot | undefined {
  const known = fields.get(name);
  if (type !== 'tag' && known !== undefined) {
    return { name, type: type === undefined || type === 'field' ? known : type, isTag: false };
  }
  if (type !== undefined && type !== 'tag') return undefined;
  return tagKeys.has(name) ? { name, type: 'string', isTag: true } : undefined;
}

/** Gives every name of the expressions one place. */
export function layOut(
  expressions: readonly Expression[],
  schema: Schema,
): { slots: readonly Slot[]; find: FindSlot } {
  const slots: Slot[] = [];
  const places = new Map<string, number>();
  for (const ref of expressions.flatMap((expression) => collect(expression, isRef)).filter(isRef)) {
    const slot = slotOf(ref, schema);
    if (slot === undefined || places.has(keyOf(slot))) continue;
    places.set(keyOf(slot), slots.push(slot) - 1);
  }
  const find: FindSlot = (expression) => {
    const slot = isRef(expression) ? slotOf(expression, schema) : undefined;
    const place = slot && places.get(keyOf(slot));
    return slot && place !== undefined ? { slot: place, type: slot.type } : undefined;
  };
  return { slots, find };
}

function keyOf({ name, type, isTag }: Slot): string {
  return `${isTag ? 'tag' : type} ${name}`;
}

/** Those values of a member whose moment satisfies what is asked about its fields. */
export async function filterVector(
  vector: Vector,
  { member, rest }: { readonly member: Member; readonly rest?: Expression },
  schema: Schema,
): Promise<Vector> {
  if (rest === undefined) return vector;
  const { slots, find } = layOut([rest], schema);
  const condition = compile(rest, find);
  const row: Cell[] = slots.map(({ name, isTag }) => (isTag ? (member.tags.get(name) ?? '') : null));
  const others = await Promise.all(
    slots.map((slot) => (slot.isTag ? undefined : member.load(slot.name, slot.type))),
  );
  const at = slots.map(() => 0);
  const kept: number[] = [];
  for (let i = 0; i < vector.ms.length; i++) {
    for (const [slot, other] of others.entries()) {
      if (other)
        row[slot] = seek(other, at, { slot, ms: vector.ms[i] as number, ns: vector.ns[i] as number });
    }
    if (condition.at(row) === true) kept.push(i);
  }
  return pick(vector, Uint32Array.from(kept));
}

/** The value at exactly this moment; moments are asked for in their order. */
export function seek(
  vector: Vector,
  at: number[],
  { slot, ms, ns }: { readonly slot: number; readonly ms: number; readonly ns: number },
): Cell {
  let i = at[slot] as number;
  while (
    i < vector.ms.length &&
    ((vector.ms[i] as number) < ms || (vector.ms[i] === ms && (vector.ns[i] as number) < ns))
  )
    i++;
  at[slot] = i;
  return vector.ms[i] === ms && vector.ns[i] === ns ? cellAt(vector, i) : null;
}
