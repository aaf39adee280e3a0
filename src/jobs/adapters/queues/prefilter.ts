import type { Expression, JobSearch, TextSearch } from '../../core/job-search.ts';
import {
  comparisonBounds,
  equalBounds,
  holdsText,
  isOneOfNumbers,
  requiredTexts,
} from './comparison-bounds.ts';
import { textColumns } from './search-filter.ts';
import {
  type Bounds,
  type Condition,
  hides,
  NO_BOUNDS,
  placeOf,
  type Scope,
  termOf,
} from './search-terms.ts';
import type { Dialect, Value } from './sql-database.ts';

/** A larger expression would be too deep for a database; it is evaluated outside of it. */
const MAX_NODES = 150;

/** An SQL condition that holds for all matching jobs and few others; undefined where there is none. */
export function prefilter(
  search: JobSearch,
  dialect: Dialect,
  next: (value: Value) => string,
): string | undefined {
  if (search.type === 'expression') {
    if (nodesOf(search.expression) > MAX_NODES) return undefined;
    return boundsOf(search.expression, { dialect, next }).yes?.();
  }
  if (search.type === 'all') {
    const known = search.searches.flatMap((each) => prefilter(each, dialect, next) ?? []);
    return known.length === 0 ? undefined : `(${known.join(' AND ')})`;
  }
  const required = search.isPattern ? requiredTexts(search.text) : [search.text];
  if (required.length === 0) return patternFilter(search, dialect, next);
  const texts = required.map(next);
  const holdsAll = (column: string) =>
    texts.map((text) => `${dialect.place(column, text)} > 0`).join(' AND ');
  return `(${textColumns(search).map(holdsAll).join(' OR ')})`;
}

function patternFilter(
  search: TextSearch,
  { finds }: Dialect,
  next: (value: Value) => string,
): string | undefined {
  if (finds === undefined || !isSharedPattern(search.text)) return undefined;
  const pattern = next(search.text);
  return `(${textColumns(search)
    .map((column) => finds(column, pattern))
    .join(' OR ')})`;
}

/** Patterns with the same meaning in all dialects: letters, digits and classes of them, with simple repetition. */
function isSharedPattern(pattern: string): boolean {
  return /^\^?(?:(?:[\w .-]|\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\w)+\])[+*?]?)+$/.test(pattern);
}

function boundsOf(expression: Expression, scope: Scope): Bounds {
  switch (expression.type) {
    case 'not': {
      const { yes, no } = boundsOf(expression.of, scope);
      return { yes: no, no: yes };
    }
    case 'and': {
      const [left, right] = [boundsOf(expression.left, scope), boundsOf(expression.right, scope)];
      return { yes: eitherBound(left.yes, right.yes, 'AND'), no: bothBounds(left.no, right.no, 'OR') };
    }
    case 'or': {
      const [left, right] = [boundsOf(expression.left, scope), boundsOf(expression.right, scope)];
      return { yes: bothBounds(left.yes, right.yes, 'OR'), no: eitherBound(left.no, right.no, 'AND') };
    }
    case 'compare':
      return comparisonBounds(expression, scope);
    case 'in':
      return membershipBounds(expression, scope);
    case 'call':
      return callBounds(expression, scope);
    case 'name':
      return truthBounds(expression.name, scope);
    default:
      return NO_BOUNDS;
  }
}

function eitherBound(left: Condition, right: Condition, operator: 'AND'): Condition {
  if (left === undefined || right === undefined) return left ?? right;
  return () => `(${left()} ${operator} ${right()})`;
}

function bothBounds(left: Condition, right: Condition, operator: 'OR'): Condition {
  if (left === undefined || right === undefined) return undefined;
  return () => `(${left()} ${operator} ${right()})`;
}

function membershipBounds({ left, values }: Extract<Expression, { type: 'in' }>, scope: Scope): Bounds {
  const term = left.type === 'name' ? termOf(left.name, scope.dialect) : undefined;
  if (term === undefined || values.length === 0) return NO_BOUNDS;
  const bounds = values.map((it) => (it.type === 'value' ? equalBounds(term, it.value, scope) : NO_BOUNDS));
  const numbers = values.flatMap((it) =>
    it.type === 'value' && typeof it.value === 'number' && Number.isFinite(it.value) ? [it.value] : [],
  );
  const [yes, no] = [bounds.map((it) => it.yes), bounds.map((it) => it.no)];
  return {
    yes:
      term.kind === 'json' && numbers.length === values.length
        ? isOneOfNumbers(term, numbers, scope)
        : yes.reduce((all, each) => bothBounds(all, each, 'OR')),
    no: no.reduce((all, each) => eitherBound(all, each, 'AND')),
  };
}

/** A text is found in the JSON of a list, too; a number may have several spellings there. */
function callBounds({ of, argument }: Extract<Expression, { type: 'call' }>, scope: Scope): Bounds {
  const term = of.type === 'name' ? termOf(of.name, scope.dialect) : undefined;
  if (term === undefined || argument.type !== 'value' || typeof argument.value !== 'string') return NO_BOUNDS;
  if (!/^[A-Za-z][\w -]*$/.test(argument.value)) return NO_BOUNDS;
  return { yes: holdsText(term, argument.value, scope), no: undefined };
}

const MARKS: Readonly<Record<string, string>> = { starred: 'star', bug: 'bug' };

function truthBounds(name: string, { dialect }: Scope): Bounds {
  const { json } = dialect;
  const mark = Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;
  if (mark !== undefined) {
    const isMarked = json.isTruth(placeOf('annotations', mark), true);
    return { yes: () => `(${isMarked} OR ${hides(dialect, name)})`, no: undefined };
  }
  const term = termOf(name, dialect);
  if (term?.kind !== 'json') return NO_BOUNDS;
  const { place, unless } = term;
  const orOther = unless === undefined ? '' : ` OR ${unless}`;
  return {
    yes: () => `(${json.isTrue(place)}${orOther})`,
    no: () => `(${json.isFalse(place)}${orOther})`,
  };
}

function nodesOf(expression: Expression): number {
  switch (expression.type) {
    case 'value':
    case 'name':
      return 1;
    case 'not':
      return 1 + nodesOf(expression.of);
    case 'in':
      return expression.values.length + nodesOf(expression.left);
    case 'call':
      return 1 + nodesOf(expression.of);
    default:
      return 1 + nodesOf(expression.left) + nodesOf(expression.right);
  }
}
