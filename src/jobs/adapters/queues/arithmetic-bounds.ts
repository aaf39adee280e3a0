import type { Comparison, Expression } from '../../core/job-search.ts';
import { type Bounds, type Condition, NO_BOUNDS, type Scope, termOf } from './search-terms.ts';
import type { JsonPlace } from './sql-database.ts';

interface Sides {
  readonly operator: Comparison;
  readonly left: Expression;
  readonly right: Expression;
}

/**
 * Bounds of a comparison with arithmetic. A database parses and rounds slightly differently, and after a subtraction the
 * error of the operands may exceed the result. So the difference of the sides is compared with a tolerance relative to the
 * sum of all absolute values.
 */
export function arithmeticBounds({ operator, left, right }: Sides, scope: Scope): Bounds {
  const found: FoundPlaces = { places: [], others: new Set() };
  const [from, to] = [amountOf(left, scope, found), amountOf(right, scope, found)];
  if (from === undefined || to === undefined || found.places.length === 0) return NO_BOUNDS;
  const { factor, degree } = product(from, to);
  if (factor > MAX_FACTOR || degree > MAX_DEGREE) return NO_BOUNDS;
  const known = (test: (difference: string, tolerance: string) => string): Condition =>
    conditionOf({ from, to, test }, scope, found);
  const isBelow = known((difference, tolerance) => `${difference} <= ${tolerance}`);
  const isAbove = known((difference, tolerance) => `${difference} >= (0 - ${tolerance})`);
  // A value that is not a number is not less than one, but arithmetic with it is unknown.
  const [below, above] = left.type === 'name' || right.type === 'name' ? [] : [isBelow, isAbove];
  switch (operator) {
    case '<':
    case '<=':
      return { yes: isBelow, no: above };
    case '>':
    case '>=':
      return { yes: isAbove, no: below };
    case '==':
      return { yes: isBelow && isAbove && (() => `(${isBelow()} AND ${isAbove()})`), no: undefined };
    default:
      return NO_BOUNDS;
  }
}

/**
 * With these limits, and a minimum size for each value, the tolerance exceeds the underflow error. The constants have few
 * digits, because PostgreSQL calculates with all of them.
 */
const MAX_FACTOR = 1e100;
const MAX_DEGREE = 2;
const TOLERANCE = '0.000000000001';
const MIN_SIZE = '0.00000001';

interface FoundPlaces {
  readonly places: JsonPlace[];
  readonly others: Set<string>;
}

type Names = (place: number) => string;

interface Amount {
  readonly sql: (value: Names) => string;
  /** The sum of the absolute values of all summands. */
  readonly size: (size: Names) => string;
  /** By how much a value is multiplied or divided at most, and how many values with each other. */
  readonly factor: number;
  readonly degree: number;
}

function amountOf(expression: Expression, scope: Scope, found: FoundPlaces): Amount | undefined {
  if (expression.type === 'value') return literal(expression.value);
  if (expression.type === 'name') return namedAmount(expression.name, scope, found);
  if (expression.type !== 'arithmetic') return undefined;
  const { operator } = expression;
  const [left, right] = [amountOf(expression.left, scope, found), amountOf(expression.right, scope, found)];
  if (left === undefined || right === undefined || operator === '%' || operator === '/') return undefined;
  const isProduct = operator === '*';
  return {
    sql: (value) => `(${left.sql(value)} ${operator} ${right.sql(value)})`,
    size: (size) => `(${left.size(size)} ${isProduct ? '*' : '+'} ${right.size(size)})`,
    factor: left.factor * right.factor,
    degree: isProduct ? left.degree + right.degree : Math.max(left.degree, right.degree),
  };
}

function literal(value: string | number | boolean | null): Amount | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const written = (number: number) => (number < 0 ? `(0 - ${-number})` : String(number));
  return {
    sql: () => written(value),
    size: () => written(Math.abs(value)),
    factor: value === 0 ? 1 : Math.max(Math.abs(value), 1 / Math.abs(value)),
    degree: 0,
  };
}

function namedAmount(name: string, { dialect }: Scope, { places, others }: FoundPlaces): Amount | undefined {
  const term = termOf(name, dialect);
  if (term?.kind !== 'json') return undefined;
  if (term.unless !== undefined) others.add(term.unless);
  const isSame = ({ column, keys }: JsonPlace) =>
    column === term.place.column && keys.join('\n') === term.place.keys.join('\n');
  const known = places.findIndex(isSame);
  const at = known < 0 ? places.push(term.place) - 1 : known;
  return { sql: (value) => value(at), size: (size) => `(${size(at)} + ${MIN_SIZE})`, factor: 1, degree: 1 };
}

function product(left: Amount, right: Amount): Pick<Amount, 'factor' | 'degree'> {
  return { factor: left.factor * right.factor, degree: Math.max(left.degree, right.degree) };
}

interface Test {
  readonly from: Amount;
  readonly to: Amount;
  readonly test: (difference: string, tolerance: string) => string;
}

function conditionOf(
  { from, to, test }: Test,
  { dialect }: Scope,
  { places, others }: FoundPlaces,
): Condition {
  const condition = dialect.json.calculated({
    places,
    condition: (value, size) =>
      test(
        `(${from.sql(value)} - ${to.sql(value)})`,
        `(${TOLERANCE} * (${from.size(size)} + ${to.size(size)}))`,
      ),
  });
  return condition === undefined ? undefined : () => `(${[condition, ...others].join(' OR ')})`;
}
