import { NightmarkError } from '../../../platform/core/errors.ts';
import type { FieldType } from '../points.ts';
import type { Binary, Expression } from './ast.ts';
import { type Cell, narrow } from './vector.ts';

export interface Evaluated {
  readonly type: FieldType;
  at(row: readonly Cell[]): Cell;
}

/** Where a name or call of an expression is found in a row; undefined: nowhere, always null. */
export type FindSlot = (
  expression: Expression,
) => { readonly slot: number; readonly type: FieldType } | undefined;

/** An expression as a function of rows. Integers stay exact; parting them by "/" gives floats, as in InfluxDB. */
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
