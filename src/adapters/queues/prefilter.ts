import { isField } from '../../core/jobs/search/field-values.ts';
import type { Expression, JobSearch } from '../../core/jobs/search/search.ts';
import type { Dialect, Value } from './session.ts';

/** Gives a value its number in the statement. */
type Next = (value: Value) => string;

/** A condition that holds for all jobs that are searched for, and few others; undefined where none is known. */
export function prefilter(search: JobSearch, dialect: Dialect, next: Next): string | undefined {
  if (search.type === 'expression') return sureCondition(search.expression, dialect, next);
  if (search.isPattern && !/^[\w\s-]+$/.test(search.text)) return undefined;
  const text = next(search.text);
  const places = ['name', 'experiment', 'description'].map((column) => `${dialect.place(column, text)} > 0`);
  return `(${places.join(' OR ')})`;
}

function sureCondition(expression: Expression, dialect: Dialect, next: Next): string | undefined {
  if (expression.type === 'compare') return comparisonCondition(expression, dialect, next);
  if (expression.type === 'call') return callCondition(expression, dialect, next);
  if (expression.type !== 'and' && expression.type !== 'or') return undefined;
  const known = [expression.left, expression.right].flatMap(
    (side) => sureCondition(side, dialect, next) ?? [],
  );
  if (expression.type === 'or') return known.length === 2 ? `(${known.join(' OR ')})` : undefined;
  return known.length > 0 ? `(${known.join(' AND ')})` : undefined;
}

/** Databases read decimals a hair differently: the bound is moved out by more than that. */
const HAIR = 1e-12;

function comparisonCondition(
  { operator, left, right }: Extract<Expression, { type: 'compare' }>,
  dialect: Dialect,
  next: Next,
): string | undefined {
  const column = configColumn(left, dialect);
  if (column === undefined || right.type !== 'value') return undefined;
  const { value } = right;
  if (typeof value === 'string' && operator === '==' && /^[ -~]*$/.test(value)) {
    return `(${column} = ${next(value)} OR typeof(${column}) <> 'text')`;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const [low, high] = [value - Math.abs(value) * HAIR, value + Math.abs(value) * HAIR];
  // A text may hold a number.
  const orText = `OR typeof(${column}) = 'text')`;
  if (operator === '==') return `(${column} BETWEEN ${next(low)} AND ${next(high)} ${orText}`;
  if (operator === '<' || operator === '<=') return `(${column} <= ${next(high)} ${orText}`;
  if (operator === '>' || operator === '>=') return `(${column} >= ${next(low)} ${orText}`;
  return undefined;
}

/** A word is found in the JSON of a list, too; a number may be written in several ways there. */
function callCondition(
  { of, argument }: Extract<Expression, { type: 'call' }>,
  dialect: Dialect,
  next: Next,
): string | undefined {
  const column = configColumn(of, dialect);
  if (column === undefined || argument.type !== 'value') return undefined;
  if (typeof argument.value !== 'string' || !/^[A-Za-z][\w -]*$/.test(argument.value)) return undefined;
  return `${dialect.place(column, next(argument.value))} > 0`;
}

function configColumn(of: Expression, dialect: Dialect): string | undefined {
  if (of.type !== 'name' || !/^[A-Za-z_]\w*$/.test(of.name) || isField(of.name)) return undefined;
  return dialect.configValue?.(of.name);
}
