import { NightmarkError } from '../../../platform/core/errors.ts';
import { nearestFirst } from '../../../platform/core/text/nearest.ts';

/** Reads one value of a file or says what is wrong with it. */
export type Check = (value: unknown, path: string) => void;

/** Refuses a value: file, field, value, and what was expected. */
export class FieldProblem extends Error {
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;
  constructor(path: string, value: unknown, expected: string) {
    super(`${path}: expected ${expected}`);
    this.path = path;
    this.value = value;
    this.expected = expected;
  }
}

/** The problem for people, with the file it is in. */
export function fieldError({ path, value, expected }: FieldProblem, origin: string): NightmarkError {
  const field = path === '' ? 'the file' : path;
  const message =
    value === undefined
      ? `${origin}: ${field} is missing: expected ${expected}.`
      : `${origin}: ${field} is ${shown(value)}: expected ${expected}.`;
  return new NightmarkError('CHART_FIELD', message, {
    hint: 'docs/guide/charts.md has an example of each kind of chart; schema/chart.schema.json lists every field.',
  });
}

export const isText: Check = (value, path) => {
  if (typeof value !== 'string') throw new FieldProblem(path, value, 'a text');
};

export const isFlag: Check = (value, path) => {
  if (typeof value !== 'boolean') throw new FieldProblem(path, value, 'true or false');
};

export const isNumber: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new FieldProblem(path, value, 'a number');
};

export const isNumberOrNull: Check = (value, path) => {
  if (value !== null && (typeof value !== 'number' || !Number.isFinite(value))) {
    throw new FieldProblem(path, value, 'a number, or null for a gap');
  }
};

export function between(low: number, high: number, isWhole = false): Check {
  return (value, path) => {
    const isRight =
      typeof value === 'number' && value >= low && value <= high && (!isWhole || Number.isInteger(value));
    if (!isRight)
      throw new FieldProblem(path, value, `a ${isWhole ? 'whole ' : ''}number from ${low} to ${high}`);
  };
}

export function oneOf(...names: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !names.includes(value)) {
      throw new FieldProblem(path, value, `one of ${names.map((name) => `"${name}"`).join(', ')}`);
    }
  };
}

export function listOf(check: Check, what: string): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw new FieldProblem(path, value, what);
    for (let index = 0; index < value.length; index++) check(value[index], `${path}[${index}]`);
  };
}

/** An object with these fields and no others; those that `needed` names must be there. */
export function fieldsOf(fields: Readonly<Record<string, Check>>, needed: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FieldProblem(path, value, `an object with ${needed.join(', ')}`);
    }
    const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const [name, content] of Object.entries(value)) {
      if (!Object.hasOwn(fields, name))
        throw unknownField(inside(name), content, [name, Object.keys(fields)]);
      fields[name]?.(content, inside(name));
    }
    for (const name of needed) {
      if (!Object.hasOwn(value, name)) fields[name]?.(undefined, inside(name));
    }
  };
}

function unknownField(
  path: string,
  value: unknown,
  [name, known]: readonly [string, readonly string[]],
): FieldProblem {
  const [nearest = ''] = nearestFirst(name, known);
  return new FieldProblem(path, value, `no field of that name (did you mean "${nearest}"?)`);
}

/** Enough of a value to find it again. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
