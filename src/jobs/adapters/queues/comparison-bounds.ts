import type { Comparison, Expression } from '../../core/job-search.ts';
import { arithmeticBounds } from './arithmetic-bounds.ts';
import { type Bounds, type Condition, NO_BOUNDS, type Scope, type Term, termOf } from './search-terms.ts';
import type { NumberRange } from './sql-database.ts';

type Literal = string | number | boolean | null;

/** Bounds of a comparison of a name with a value; without bounds where SQL cannot decide it. */
export function comparisonBounds(
  { operator, left, right }: Extract<Expression, { type: 'compare' }>,
  scope: Scope,
): Bounds {
  if (left.type === 'value' && right.type === 'name' && Object.hasOwn(MIRRORED, operator)) {
    const turned = MIRRORED[operator] ?? operator;
    return comparisonBounds({ type: 'compare', operator: turned, left: right, right: left }, scope);
  }
  if (left.type === 'arithmetic' || right.type === 'arithmetic') {
    return arithmeticBounds({ operator, left, right }, scope);
  }
  const term = left.type === 'name' ? termOf(left.name, scope.dialect) : undefined;
  if (term === undefined || right.type !== 'value') return NO_BOUNDS;
  const { value } = right;
  if (operator === '~' || operator === '!~') {
    const found = showsTexts(term, requiredTexts(String(value)), scope);
    return operator === '~' ? { yes: found, no: undefined } : { yes: undefined, no: found };
  }
  if (operator === '==') return equalBounds(term, value, scope);
  if (operator === '!=') {
    const { yes, no } = equalBounds(term, value, scope);
    return { yes: no, no: yes };
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || term.kind === 'text') return NO_BOUNDS;
  return orderBounds(term, operator === '<' || operator === '<=', { value, scope });
}

export function equalBounds(term: Term, value: Literal, scope: Scope): Bounds {
  if (typeof value === 'string') return equalTextBounds(term, value, scope);
  if (typeof value === 'boolean' && term.kind === 'json') {
    return { yes: orUnless(term, () => scope.dialect.json.isTruth(term.place, value)), no: undefined };
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || term.kind === 'text') return NO_BOUNDS;
  const [low, high] = widenedBounds(value, term);
  const range: NumberRange = { low, high };
  if (term.kind === 'number')
    return { yes: orUnless(term, () => isIn(term.sql, range, scope)), no: undefined };
  const { json } = scope.dialect;
  // The database may parse other numbers slightly differently, so equality is not certain.
  const exactly: NumberRange = { low: value, high: value };
  return {
    yes: orUnless(term, () => json.isNumberOrText(term.place, [range])),
    no: Number.isSafeInteger(value)
      ? orUnless(term, () => json.isNoNumber(term.place, exactly, value === 0 || value === 1))
      : undefined,
  };
}

/** One of these numbers, or a text that may contain one. */
export function isOneOfNumbers(
  term: Extract<Term, { kind: 'json' }>,
  values: readonly number[],
  { dialect }: Scope,
): Condition {
  const ranges = values.map((value): NumberRange => {
    const [low, high] = widenedBounds(value, term);
    return { low, high };
  });
  return orUnless(term, () => dialect.json.isNumberOrText(term.place, ranges));
}

/** The displayed value contains the texts. */
function showsTexts(term: Term, texts: readonly string[], scope: Scope): Condition {
  const known = texts
    .filter((text) => !isAmbiguousText(text))
    .flatMap((text) => holdsText(term, text, scope) ?? []);
  return known.length === 0 ? undefined : () => `(${known.map((condition) => condition()).join(' AND ')})`;
}

/** Numbers have several spellings, and null, true and false are not text in SQL. */
function isAmbiguousText(text: string): boolean {
  return /^[\d.e+-]+$/i.test(text) || ['null', 'true', 'false'].some((word) => word.includes(text));
}

/** A text, or an item of a list, contains the text. */
export function holdsText(term: Term, text: string, { dialect, next }: Scope): Condition {
  if (term.kind === 'number') return undefined;
  if (term.kind === 'text') return orUnless(term, () => `${dialect.place(term.sql, next(text))} > 0`);
  return orUnless(term, () => dialect.json.holds(term.place, next(text)));
}

/** Without characters that JSON or a database escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

const MIRRORED: Readonly<Record<string, Comparison>> = {
  ...{ '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' },
};

function equalTextBounds(term: Term, value: string, scope: Scope): Bounds {
  const { dialect, next } = scope;
  if (!PLAIN.test(value) || term.kind === 'number') return NO_BOUNDS;
  if (term.kind === 'text') {
    return {
      yes: orUnless(term, () => `${term.sql} = ${next(value)}`),
      no: orUnless(term, () => `${term.sql} <> ${next(value)}`),
    };
  }
  const { json } = dialect;
  const isText = () => json.isText(term.place, next(value));
  // A number may be equal to a text that looks like one.
  if (Number.isFinite(Number(value))) {
    const [low, high] = widenedBounds(Number(value), term);
    const isNumber = () => json.isNumber(term.place, { low, high });
    return { yes: orUnless(term, () => `(${isText()} OR ${isNumber()})`), no: undefined };
  }
  const isLikeJson = /^[[{]|^true$|^false$/.test(value);
  return {
    yes: orUnless(term, isText),
    no: isLikeJson ? undefined : orUnless(term, () => json.isOther(term.place, next(value))),
  };
}

interface Limit {
  readonly value: number;
  readonly scope: Scope;
}

function orderBounds(
  term: Exclude<Term, { kind: 'text' }>,
  isBelow: boolean,
  { value, scope }: Limit,
): Bounds {
  const [low, high] = widenedBounds(value, term);
  const [inside, outside]: readonly NumberRange[] = isBelow ? [{ high }, { low }] : [{ low }, { high }];
  if (inside === undefined || outside === undefined) return NO_BOUNDS;
  if (term.kind !== 'json') {
    const { sql } = term;
    return {
      yes: orUnless(term, () => isIn(sql, inside, scope)),
      no: orUnless(term, () => isIn(sql, outside, scope)),
    };
  }
  const { place } = term;
  const { json } = scope.dialect;
  const surely: NumberRange = isBelow ? { high: low } : { low: high };
  const hasTruth = isBelow ? low >= 0 : high <= 1;
  return {
    yes: orUnless(term, () => json.isNumberOrText(place, [inside])),
    no: orUnless(term, () => json.isNoNumber(place, surely, hasTruth)),
  };
}

function isIn(sql: string, { low, high }: NumberRange, scope: Scope): string {
  const limit = (value: number) => `CAST(${scope.next(value)} AS double precision)`;
  if (low !== undefined && high !== undefined) return `${sql} BETWEEN ${limit(low)} AND ${limit(high)}`;
  return low !== undefined ? `${sql} >= ${limit(low)}` : `${sql} <= ${limit(high ?? Infinity)}`;
}

/** Databases parse decimals slightly differently: the bound is widened by more than that. */
const TOLERANCE = 1e-12;
const MIN_TOLERANCE = 1e-300;

function widenedBounds(value: number, term: Term): readonly [low: number, high: number] {
  const { scale = 1, slack = 0 } = term.kind === 'number' ? term : {};
  const tolerance = Math.max(Math.abs(value) * TOLERANCE, MIN_TOLERANCE);
  return [(value - tolerance) * scale - slack, (value + tolerance) * scale + slack];
}

function orUnless({ unless }: Pick<Term, 'unless'>, condition: () => string): Condition {
  return unless === undefined ? condition : () => `(${condition()} OR ${unless})`;
}

/** More texts hardly narrow the result. */
const MAX_TEXTS = 3;

/**
 * Literal texts that every match of a pattern contains, the longest first. None where that is unknown, for instance because
 * there are alternatives.
 */
export function requiredTexts(pattern: string): readonly string[] {
  if (/[|()\\]|\[\^?\]|\[:/.test(pattern)) return [];
  const pieces = pattern
    .replace(/\[[^\]]*\]/g, '\n')
    // An optional or repeated character ends a literal.
    .replace(/.?(?:[*?]|\{[^}]*\})/gsu, '\n')
    .split(/[^A-Za-z0-9_ -]+/);
  const texts = [...new Set(pieces)].filter((piece) => piece !== '');
  return texts.sort((a, b) => b.length - a.length).slice(0, MAX_TEXTS);
}
