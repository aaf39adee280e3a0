import { NightmarkError } from '../../../platform/core/errors.ts';
import type { FieldType } from '../points/points.ts';
import type { Member } from './catalog.ts';
import { type Binary, collect, type Expression, isRef } from './parse/ast.ts';
import type { Schema } from './plan.ts';
import { type Cell, cellAt, narrow, pick, type Vector } from './vector.ts';

export interface Evaluated {
  readonly type: FieldType;
  at(row: readonly Cell[]): Cell;
}

/** Where a name or call of an expression is found in a row; undefined: nowhere, always null. */
export type FindSlot = (
  expression: Expression,
) => { readonly slot: number; readonly type: FieldType } | undefined;

/** An expression as a function of rows. Integers stay exact; dividing them gives floats, as in InfluxDB. */
export function compile(expression: Expression, find: FindSlot): Evaluated {
  switch (expression.kind) {
    case 'paren':
      return compile(expression.inner, find);
    case 'number': {
      const { value, integer } = expression;
      const cell = integer === undefined ? value : narrow(integer);
      return { type: integer === undefined ? 'float' : 'integer', at: () => cell };
    }
    case 'string':
      return { type: 'string', at: () => expression.value };
    case 'bool':
      return { type: 'boolean', at: () => expression.value };
    case 'binary':
      return compileBinary(expression, find);
    default: {
      const found = find(expression);
      if (found === undefined) return { type: 'float', at: () => null };
      const { slot, type } = found;
      return { type, at: (row) => row[slot] ?? null };
    }
  }
}

function compileBinary({ op, left, right }: Binary, find: FindSlot): Evaluated {
  const a = compile(left, find);
  if (right.kind === 'regex') {
    const { pattern } = right;
    return {
      type: 'boolean',
      at: (row) => {
        const value = a.at(row);
        return typeof value === 'string' && pattern.test(value) === (op === '=~');
      },
    };
  }
  const b = compile(right, find);
  if (op === 'AND') return { type: 'boolean', at: (row) => a.at(row) === true && b.at(row) === true };
  if (op === 'OR') return { type: 'boolean', at: (row) => a.at(row) === true || b.at(row) === true };
  const compare = COMPARISONS[op];
  if (compare) return { type: 'boolean', at: (row) => compareCells(compare, a.at(row), b.at(row)) };
  return compileArithmetic(op, a, b);
}

function compileArithmetic(op: string, a: Evaluated, b: Evaluated): Evaluated {
  const isInteger = a.type !== 'float' && b.type !== 'float';
  if ('&|^'.includes(op)) {
    if (!isInteger || a.type !== b.type) throw incompatible(a.type, b.type);
    const bits = a.type === 'boolean' ? bitsOfBooleans : bitsOfIntegers;
    return { type: a.type, at: (row) => bits(op, a.at(row), b.at(row)) };
  }
  if (![a, b].every(({ type }) => type === 'float' || type === 'integer' || type === 'unsigned')) {
    throw incompatible(a.type, b.type);
  }
  const isExact = isInteger && op !== '/';
  return {
    type: isExact ? 'integer' : 'float',
    at: (row) => {
      const x = a.at(row);
      const y = b.at(row);
      if (x === null || y === null) return null;
      return isExact
        ? integerResult(op, x as number | bigint, y as number | bigint)
        : floatResult(op, Number(x), Number(y));
    },
  };
}

function incompatible(a: FieldType, b: FieldType): NightmarkError {
  return new NightmarkError('QUERY_TYPES', `type error: incompatible types: ${a} and ${b}`);
}

function floatResult(op: string, x: number, y: number): Cell {
  if (op === '+') return x + y;
  if (op === '-') return x - y;
  if (op === '*') return x * y;
  if (op === '/') return y === 0 ? 0 : x / y;
  return y === 0 ? null : x % y;
}

function integerResult(op: string, x: number | bigint, y: number | bigint): Cell {
  if (op === '%' && Number(y) === 0) return 0;
  if (typeof x === 'number' && typeof y === 'number') {
    const quick = op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : x % y;
    if (Number.isSafeInteger(quick)) return quick + 0;
  }
  const a = BigInt(x);
  const b = BigInt(y);
  return narrow(BigInt.asIntN(64, op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : a % b));
}

function bitsOfIntegers(op: string, x: Cell, y: Cell): Cell {
  if (x === null || y === null) return null;
  const a = BigInt(x);
  const b = BigInt(y);
  return narrow(BigInt.asIntN(64, op === '&' ? a & b : op === '|' ? a | b : a ^ b));
}

function bitsOfBooleans(op: string, x: Cell, y: Cell): Cell {
  if (x === null || y === null) return null;
  if (op === '&') return x === true && y === true;
  return op === '|' ? x === true || y === true : x !== y;
}

type Comparison = (isLess: boolean, isMore: boolean) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': (isLess, isMore) => !isLess && !isMore,
  '!=': (isLess, isMore) => isLess || isMore,
  '<': (isLess) => isLess,
  '<=': (_, isMore) => !isMore,
  '>': (_, isMore) => isMore,
  '>=': (isLess) => !isLess,
};

function compareCells(compare: Comparison, x: Cell, y: Cell): boolean {
  if (x === null || y === null) return false;
  const isComparable = typeof x === typeof y || (isNumeric(x) && isNumeric(y));
  return isComparable && compare(x < y, x > y);
}

function isNumeric(value: Cell): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** A name that rows have a cell for. */
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

/** Assigns a slot to every name of the expressions. */
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

/** The values of a member at whose time the condition on its fields holds. */
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

/** The value at exactly this timestamp; calls must be in time order. */
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
