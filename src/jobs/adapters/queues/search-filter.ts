import type { JsonValue } from '../../../platform/core/text/json.ts';
import type { Expression, JobSearch, TextSearch } from '../../core/job-search.ts';
import { expressionMatcher, textMatcher, valueMatcher } from '../../core/search/search-matcher.ts';
import { jobOfParts } from '../../core/search/searched-parts.ts';
import { directValues } from './direct-values.ts';
import { ABSENT, partsToRead } from './searched-names.ts';
import type { Dialect } from './session.ts';

/** A page of a search: of each job its id, and what the filter looks at, all in one list. */
export type Page = readonly unknown[];

export interface Filter {
  /** Further parts of the JSON text of a row, each with its comma. */
  readonly further: string;
  /** How many parts. */
  readonly count: number;
  /** Whether the job is searched for whose parts begin at this place. */
  isFound(page: Page, at: number): boolean;
}

/** Where a text is looked for. */
export function textColumns({ isName }: TextSearch): readonly string[] {
  return isName ? ['name'] : ['name', 'experiment', 'description'];
}

export function filterOf(search: JobSearch | undefined, dialect: Dialect): Filter {
  if (search === undefined) return { further: '', count: 0, isFound: () => true };
  if (search.type === 'expression') return expressionFilter(search.expression, dialect);
  if (search.type === 'all') return allOf(search.searches.map((each) => filterOf(each, dialect)));
  const isFound = textMatcher(search);
  const texts = textColumns(search).map(dialect.quoted);
  return {
    further: texts.map((text) => ` || ',' || ${text}`).join(''),
    count: texts.length,
    isFound: (page, at) => isFound(page.slice(at, at + texts.length) as string[]),
  };
}

/** The parts of all one after the other; each looks at its own. */
function allOf(filters: readonly Filter[]): Filter {
  return {
    further: filters.map(({ further }) => further).join(''),
    count: filters.reduce((sum, { count }) => sum + count, 0),
    isFound: (page, at) => {
      let from = at;
      return filters.every(({ count, isFound }) => {
        from += count;
        return isFound(page, from - count);
      });
    },
  };
}

function expressionFilter(expression: Expression, dialect: Dialect): Filter {
  const names = [...new Set(namesIn(expression))];
  const direct = directValues(names, dialect);
  return direct === undefined
    ? partsFilter(expression, names, dialect)
    : directFilter(expression, names, direct);
}

function directFilter(expression: Expression, names: readonly string[], direct: readonly string[]): Filter {
  const places = new Map(names.map((name, place) => [name, place]));
  const cursor: { page: Page; at: number } = { page: [], at: 0 };
  const isMatch = valueMatcher<typeof cursor>(expression, (name) => {
    const place = places.get(name) ?? 0;
    return ({ page, at }) => known(page[at + place]);
  });
  return {
    further: direct.map((sql) => ` || ',' || ${sql}`).join(''),
    count: direct.length,
    isFound: (page, at) => {
      cursor.page = page;
      cursor.at = at;
      return isMatch(cursor);
    },
  };
}

function partsFilter(expression: Expression, names: readonly string[], dialect: Dialect): Filter {
  const isMatch = expressionMatcher(expression);
  const read = partsToRead(names, dialect);
  const parts = read.map(({ part }) => part);
  return {
    further: read.map(({ sql }) => ` || ',' || ${sql}`).join(''),
    count: parts.length,
    isFound: (page, at) => isMatch(jobOfParts(parts, (part) => known(page[at + part]))),
  };
}

function known(value: unknown): JsonValue | undefined {
  return value === ABSENT ? undefined : (value as JsonValue);
}

function namesIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'value':
      return [];
    case 'name':
      return [expression.name];
    case 'not':
      return namesIn(expression.of);
    case 'in':
      return [expression.left, ...expression.values].flatMap(namesIn);
    case 'call':
      return [...namesIn(expression.of), ...namesIn(expression.argument)];
    default:
      return [...namesIn(expression.left), ...namesIn(expression.right)];
  }
}
