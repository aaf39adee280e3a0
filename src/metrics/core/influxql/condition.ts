import { NightmarkError } from '../../../platform/core/errors.ts';
import type { TimeRange } from '../points/points.ts';
import type { Expression } from './parse/ast.ts';
import { MAX_NS, MIN_NS, parseTime, toTimestamp } from './parse/time.ts';

/** Both ends are inclusive. */
export interface Span {
  readonly min: bigint;
  readonly max: bigint;
}

export const ALL_TIME: Span = { min: MIN_NS, max: MAX_NS };

export function toRange({ min, max }: Span): TimeRange {
  return {
    ...(min > MIN_NS ? { from: toTimestamp(min) } : {}),
    ...(max < MAX_NS ? { to: toTimestamp(max + 1n) } : {}),
  };
}

export function intersect(a: Span, b: Span): Span {
  return { min: a.min > b.min ? a.min : b.min, max: a.max < b.max ? a.max : b.max };
}

/** Splits a condition into time and the rest. As in InfluxDB, times on both sides of OR must both hold. */
export function splitTime(
  expression: Expression | undefined,
  now: bigint,
): { readonly span: Span; readonly rest?: Expression } {
  if (expression === undefined) return { span: ALL_TIME };
  if (expression.kind === 'paren') return splitTime(expression.inner, now);
  if (expression.kind !== 'binary') return { span: ALL_TIME, rest: expression };
  const { op, left, right } = expression;
  if (op === 'AND' || op === 'OR') {
    const a = splitTime(left, now);
    const b = splitTime(right, now);
    const span = intersect(a.span, b.span);
    if (a.rest && b.rest) return { span, rest: { kind: 'binary', op, left: a.rest, right: b.rest } };
    const rest = a.rest ?? b.rest;
    return rest ? { span, rest } : { span };
  }
  if (isTime(left)) return { span: compareTime(op, right, now) };
  if (isTime(right)) return { span: compareTime(FLIPPED[op] ?? op, left, now) };
  return { span: ALL_TIME, rest: expression };
}

const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function isTime(expression: Expression): boolean {
  return expression.kind === 'ref' && expression.name.toLowerCase() === 'time';
}

function compareTime(op: string, value: Expression, now: bigint): Span {
  const at = timeOf(value, now);
  if (at < MIN_NS || at > MAX_NS) throw new NightmarkError('QUERY_TIME', `time ${at} overflows time literal`);
  if (op === '=') return { min: at, max: at };
  if (op === '<') return { min: MIN_NS, max: at - 1n };
  if (op === '<=') return { min: MIN_NS, max: at };
  if (op === '>') return { min: at + 1n, max: MAX_NS };
  if (op === '>=') return { min: at, max: MAX_NS };
  throw new NightmarkError('QUERY_TIME', `invalid time comparison operator: ${op}`);
}

function timeOf(value: Expression, now: bigint): bigint {
  switch (value.kind) {
    case 'paren':
      return timeOf(value.inner, now);
    case 'number':
      return value.integer ?? BigInt(Math.trunc(value.value));
    case 'duration':
      return value.ns;
    case 'call':
      if (value.name === 'now') return now;
      break;
    case 'string': {
      const time = parseTime(value.value);
      if (time !== undefined) return time;
      throw new NightmarkError(
        'QUERY_TIME',
        'invalid operation: time and *influxql.StringLiteral are not compatible',
        { hint: "Times are written as '2026-03-01T12:00:00Z', '2026-03-01', 1772366400s or now() - 6h." },
      );
    }
    case 'binary':
      if (value.op === '+') return timeOf(value.left, now) + timeOf(value.right, now);
      if (value.op === '-') return timeOf(value.left, now) - timeOf(value.right, now);
      break;
    default:
  }
  throw new NightmarkError(
    'QUERY_TIME',
    'invalid operation: time is compared with something that is not a time',
  );
}

export interface TagView {
  isField(name: string): boolean;
  tag(name: string): string;
}

/** Evaluates the tags of a condition: a boolean, or the rest about fields. */
export function reduceByTags(expression: Expression, view: TagView): boolean | Expression {
  if (expression.kind === 'paren') return reduceByTags(expression.inner, view);
  if (expression.kind === 'bool') return expression.value;
  if (expression.kind === 'ref') return view.isField(expression.name) ? expression : false;
  if (expression.kind !== 'binary') return expression;
  const { op, left, right } = expression;
  if (op === 'AND' || op === 'OR') {
    const a = reduceByTags(left, view);
    if (a === (op === 'OR')) return a;
    const b = reduceByTags(right, view);
    if (typeof a === 'boolean') return b;
    if (typeof b === 'boolean') return b === (op === 'OR') ? b : a;
    return { kind: 'binary', op, left: a, right: b };
  }
  if (mentionsField(left, view) || mentionsField(right, view)) return expression;
  return compareTags(op, left, right, view);
}

function mentionsField(expression: Expression, view: TagView): boolean {
  if (expression.kind === 'ref') return expression.type !== 'tag' && view.isField(expression.name);
  if (expression.kind === 'paren') return mentionsField(expression.inner, view);
  if (expression.kind !== 'binary') return false;
  return mentionsField(expression.left, view) || mentionsField(expression.right, view);
}

interface Sides {
  readonly left: Expression;
  readonly right: Expression;
}

function compareTags(op: string, left: Expression, right: Expression, view: TagView): boolean {
  const sides: Sides = left.kind === 'ref' ? { left, right } : { left: right, right: left };
  if (sides.left.kind !== 'ref') return false;
  const value = view.tag(sides.left.name);
  const other = sides.right;
  if (other.kind === 'regex') return (op === '=~') === other.pattern.test(value);
  const wanted =
    other.kind === 'string' ? other.value : other.kind === 'ref' ? view.tag(other.name) : undefined;
  if (wanted === undefined) return false;
  if (op === '=') return value === wanted;
  return op === '!=' && value !== wanted;
}
