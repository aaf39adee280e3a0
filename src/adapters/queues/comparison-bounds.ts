import { requiredText } from '../../core/jobs/search/required-text.ts';
import type { Comparison, Expression } from '../../core/jobs/search/search.ts';
import { type Bounds, NO_BOUNDS, type Scope } from './search-bounds.ts';
import { type Term, termOf } from './search-terms.ts';

type Condition = (() => string) | undefined;

/** Of a name with a value; what SQL cannot tell may be. */
export function comparisonBounds(
  { operator, left, right }: Extract<Expression, { type: 'compare' }>,
  scope: Scope,
): Bounds {
  if (left.type === 'value' && right.type === 'name' && Object.hasOwn(TURNED, operator)) {
    const turned = TURNED[operator] ?? operator;
    return comparisonBounds({ type: 'compare', operator: turned, left: right, right: left }, scope);
  }
  const term = left.type === 'name' ? termOf(left.name, scope.dialect) : undefined;
  if (term === undefined || right.type !== 'value') return NO_BOUNDS;
  const { value } = right;
  if (operator === '~' || operator === '!~') {
    const required = requiredText(String(value));
    const found = required === undefined ? undefined : holdsText(term, required, scope);
    return operator === '~' ? { yes: found, no: undefined } : { yes: undefined, no: found };
  }
  if (operator === '==') return { yes: equalCondition(term, value, scope), no: differs(term, value, scope) };
  if (operator === '!=') return { yes: differs(term, value, scope), no: equalCondition(term, value, scope) };
  if (typeof value !== 'number' || !Number.isFinite(value) || term.kind === 'text') return NO_BOUNDS;
  const isBelow = operator === '<' || operator === '<=';
  const [low, high] = around(value, term);
  const below = () => `<= ${real(high, scope)}`;
  const above = () => `>= ${real(low, scope)}`;
  return {
    yes: ifTyped(term, () => `(${term.sql} ${isBelow ? below() : above()}${orText(term)}${orOther(term)})`),
    no: ifTyped(
      term,
      () => `(${term.sql} ${isBelow ? above() : below()}${orNoNumber(term)}${orOther(term)})`,
    ),
  };
}

export function equalCondition(term: Term, value: string | number | boolean | null, scope: Scope): Condition {
  const { dialect, next } = scope;
  if (typeof value === 'string' && PLAIN.test(value)) {
    if (term.kind === 'text') return () => `(${term.sql} = ${next(value)}${orOther(term)})`;
    if (term.kind === 'number') return undefined;
    // A number may be equal to a text that looks like one.
    if (Number.isFinite(Number(value)) || term.key === undefined) {
      const isNumber = `typeof(${term.sql}) IN ('integer', 'real')`;
      return ifTyped(term, () => `(${term.sql} = ${next(value)} OR ${isNumber}${orOther(term)})`);
    }
    return () => `${dialect.place('config', next(`"${term.key}":${JSON.stringify(value)}`))} > 0`;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || term.kind === 'text') return undefined;
  const [low, high] = around(value, term);
  return ifTyped(
    term,
    () => `(${term.sql} BETWEEN ${real(low, scope)} AND ${real(high, scope)}${orText(term)}${orOther(term)})`,
  );
}

/** A text that the value holds, wherever it stands in it. */
export function holdsText(term: Term, text: string, { dialect, next }: Scope): Condition {
  // Of nothing a search sees the word.
  if (term.kind === 'number' || 'null'.includes(text)) return undefined;
  if (term.kind === 'text') return () => `(${dialect.place(term.sql, next(text))} > 0${orOther(term)})`;
  // Numbers and truths are written otherwise in SQL than in a search.
  return ifTyped(
    term,
    () =>
      `(${dialect.place(term.sql, next(text))} > 0 OR typeof(${term.sql}) IN ('integer', 'real')${orOther(term)})`,
  );
}

/** Without signs that JSON or a database writes otherwise. */
const PLAIN = /^[ !#-[\]-~]*$/;

const TURNED: Readonly<Record<string, Comparison>> = {
  ...{ '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' },
};

function differs(term: Term, value: string | number | boolean | null, { next }: Scope): Condition {
  if (term.kind !== 'text' || typeof value !== 'string' || !PLAIN.test(value)) return undefined;
  return () => `(${term.sql} <> ${next(value)}${orOther(term)})`;
}

/** Databases read decimals a hair differently: the bound is moved out by more than that. */
const HAIR = 1e-12;

function around(value: number, { scale = 1 }: Term): readonly [low: number, high: number] {
  const hair = Math.abs(value) * HAIR;
  return [(value - hair) * scale, (value + hair) * scale];
}

function real(value: number, { next }: Scope): string {
  return `CAST(${next(value)} AS double precision)`;
}

/** A JSON value has a type only where the database gives it one. */
function ifTyped(term: Term, condition: () => string): Condition {
  return term.sql === '' ? undefined : condition;
}

/** A text may hold a number. */
function orText({ kind, sql }: Term): string {
  return kind === 'json' ? ` OR typeof(${sql}) = 'text'` : '';
}

/** Truth is 0 or 1 in SQL, and null is as if there were no value: neither is less nor more than anything. */
function orNoNumber({ kind, sql }: Term): string {
  return kind === 'json' ? ` OR typeof(${sql}) IN ('text', 'null') OR ${sql} IN (0, 1)` : '';
}

function orOther({ unless }: Term): string {
  return unless === undefined ? '' : ` OR ${unless}`;
}
