import { compilePattern } from '../../../platform/core/patterns/pattern.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { compareCodePoints } from '../../../platform/core/text/text-order.ts';
import type { Job } from '../job.ts';
import type { Expression, JobSearch, TextSearch } from '../job-search.ts';
import { fieldValue, type NamedJob } from './job-fields.ts';

/** Whether a job matches. */
export function matches(search: JobSearch, job: Job): boolean {
  if (search.type === 'all') return search.searches.every((each) => matches(each, job));
  if (search.type === 'expression') return expressionMatcher(search.expression)(job);
  return textMatcher(search)([job.name, ...(search.isName ? [] : [job.experiment, descriptionOf(job)])]);
}

/** Compiled once for many jobs. */
export function textMatcher({ text, isPattern }: TextSearch): (texts: readonly string[]) => boolean {
  const finds = isPattern ? compilePattern(text).test : (given: string) => given.includes(text);
  return (texts) => texts.some(finds);
}

/** A name that the job does not have makes the result unknown, which is not a match. */
export function expressionMatcher(expression: Expression): (job: NamedJob) => boolean {
  return valueMatcher<NamedJob>(expression, (name) => (job) => fieldValue(job, name));
}

/** The same for jobs in another form, with a reader for the values of names. */
export function valueMatcher<T>(expression: Expression, reader: Reader<T>): (job: T) => boolean {
  const value = compile(expression, reader);
  return (job) => isTrue(value(job)) === true;
}

/** How the value of a name is read. */
type Reader<T> = (name: string) => Compiled<T>;

/** Undefined: unknown, because the job has no such name. */
type MaybeValue = JsonValue | undefined;
type Compiled<T> = (job: T) => MaybeValue;

function descriptionOf({ annotations }: Job): string {
  const description = Object.hasOwn(annotations, 'description') ? annotations['description'] : '';
  return typeof description === 'string' ? description : '';
}

function compile<T>(expression: Expression, reader: Reader<T>): Compiled<T> {
  switch (expression.type) {
    case 'value':
      return () => expression.value;
    case 'name':
      return reader(expression.name);
    case 'not': {
      const of = compile(expression.of, reader);
      return (job) => negated(isTrue(of(job)));
    }
    case 'and':
    case 'or':
      return both(expression, reader);
    case 'compare':
      return comparison(expression, reader);
    case 'in':
      return membership(expression, reader);
    case 'call':
      return call(expression, reader);
    case 'arithmetic':
      return arithmetic(expression, reader);
  }
}

/** Three-valued logic: one side may decide alone, otherwise unknown stays unknown. */
function both<T>(
  { type, left, right }: Extract<Expression, { type: 'and' | 'or' }>,
  reader: Reader<T>,
): Compiled<T> {
  const [first, second] = [compile(left, reader), compile(right, reader)];
  const decisive = type === 'or';
  return (job) => {
    const a = isTrue(first(job));
    if (a === decisive) return decisive;
    const b = isTrue(second(job));
    if (b === decisive) return decisive;
    return a === undefined || b === undefined ? undefined : !decisive;
  };
}

function comparison<T>(
  { operator, left, right }: Extract<Expression, { type: 'compare' }>,
  reader: Reader<T>,
): Compiled<T> {
  const [first, second] = [compile(left, reader), compile(right, reader)];
  if (operator === '~' || operator === '!~') {
    const { test: finds } = compilePattern(right.type === 'value' ? String(right.value) : '');
    return (job) => {
      const given = first(job);
      return given === undefined ? undefined : finds(textOf(given)) === (operator === '~');
    };
  }
  return (job) => {
    const [a, b] = [first(job), second(job)];
    return a === undefined || b === undefined ? undefined : compare(a, b, operator);
  };
}

function compare(a: JsonValue, b: JsonValue, operator: '==' | '!=' | '<' | '<=' | '>' | '>='): boolean {
  if (operator === '==' || operator === '!=') return areEqual(a, b) === (operator === '==');
  const order = orderOf(a, b);
  if (order === undefined) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function areEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === typeof b && typeof a !== 'object') return a === b;
  if (a === null || b === null) return a === b;
  return orderOf(a, b) === 0;
}

/** Numbers (also as text) with numbers, text with text. Other values have no order. */
function orderOf(a: JsonValue, b: JsonValue): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) return undefined;
  return x < y ? -1 : x > y ? 1 : 0;
}

function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (typeof value !== 'string' || !NUMBER.test(value)) return undefined;
  return Number(value);
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

function membership<T>(
  { left, values }: Extract<Expression, { type: 'in' }>,
  reader: Reader<T>,
): Compiled<T> {
  const first = compile(left, reader);
  const items = values.map((value) => compile(value, reader));
  return (job) => {
    const given = first(job);
    if (given === undefined) return undefined;
    return items.some((item) => {
      const value = item(job);
      return value !== undefined && areEqual(given, value);
    });
  };
}

function call<T>(
  { method, of, argument }: Extract<Expression, { type: 'call' }>,
  reader: Reader<T>,
): Compiled<T> {
  const [first, second] = [compile(of, reader), compile(argument, reader)];
  return (job) => {
    const [given, part] = [first(job), second(job)];
    if (given === undefined || part === undefined) return undefined;
    if (method === 'includes' && Array.isArray(given)) return given.some((item) => areEqual(item, part));
    return typeof given === 'string' && given[method](textOf(part));
  };
}

function arithmetic<T>(
  { operator, left, right }: Extract<Expression, { type: 'arithmetic' }>,
  reader: Reader<T>,
): Compiled<T> {
  const [first, second] = [compile(left, reader), compile(right, reader)];
  return (job) => {
    const [a, b] = [first(job), second(job)];
    const [x, y] = [numberOf(a ?? null), numberOf(b ?? null)];
    if (x === undefined || y === undefined) return undefined;
    const result = calculate(operator, x, y);
    return Number.isNaN(result) ? undefined : result;
  };
}

function calculate(operator: '+' | '-' | '*' | '/' | '%', x: number, y: number): number {
  if (operator === '+') return x + y;
  if (operator === '-') return x - y;
  if (operator === '*') return x * y;
  return operator === '/' ? x / y : x % y;
}

function isTrue(value: MaybeValue): boolean | undefined {
  return value === undefined ? undefined : Boolean(value);
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

/** As displayed: lists and objects as JSON. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
