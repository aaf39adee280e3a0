import type { JsonValue } from '../../../platform/core/text/json.ts';
import type { Expression, JobSearch, TextSearch } from '../../core/job-search.ts';
import { isField } from '../../core/search/job-fields.ts';
import { expressionMatcher, textMatcher, valueMatcher } from '../../core/search/search-matcher.ts';
import { jobOfParts } from '../../core/search/searched-parts.ts';
import { ABSENT, ABSENT_SQL, COLUMNS, columnSql, isPlainKey, partsToRead, placeOf } from './search-terms.ts';
import type { Dialect, JsonPlace } from './sql-database.ts';

/** A page of a search: for each job its id and the values that the filter reads, in one list. */
export type Page = readonly unknown[];

export interface Filter {
  /** SQL of further values of a row, each with its comma. */
  readonly further: string;
  /** Number of values. */
  readonly count: number;
  /** Whether the job whose values begin at this index matches. */
  isFound(page: Page, at: number): boolean;
}

/** Columns of a text search. */
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

/** The values of all filters in a row; each filter reads its own. */
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
    return ({ page, at }) => presentValue(page[at + place]);
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
    isFound: (page, at) => isMatch(jobOfParts(parts, (part) => presentValue(page[at + part]))),
  };
}

function presentValue(value: unknown): JsonValue | undefined {
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

/** A longer name has too many paths, and an expression with more of them is evaluated by parts. */
const MAX_PARTS = 3;
const MAX_PATHS = 24;

/**
 * SQL for the JSON value of each name, ABSENT where a job has none: the first existing candidate. Undefined where one of the
 * names is not that simple; then parts of the jobs are read and evaluated outside of SQL.
 */
function directValues(names: readonly string[], dialect: Dialect): readonly string[] | undefined {
  const all = names.map((name) => candidatesOf(name, dialect));
  const known = all.flatMap((meanings) => (meanings === undefined ? [] : [meanings]));
  if (known.length < all.length || known.flat().length > MAX_PATHS) return undefined;
  return known.map((meanings) => `coalesce(${[...meanings, ABSENT_SQL].join(', ')})`);
}

function candidatesOf(name: string, dialect: Dialect): readonly string[] | undefined {
  const words = name.split('.');
  if (!isPlainKey(name) || words.length > MAX_PARTS || words.slice(1).some(isListIndex)) return undefined;
  const sqlOf = (places: readonly JsonPlace[]) => places.map((place) => dialect.json.text(place));
  const configured = sqlOf(keyPaths(words).map((keys) => placeOf('config', ...keys)));
  if (!isField(name)) return configured;
  const column = name === 'job' ? 'name' : name;
  if (Object.hasOwn(COLUMNS, column)) return [...configured, columnSql(column, dialect)];
  const field = fieldPlaces(words);
  return field && [...configured, ...sqlOf(field)];
}

/** May be the index of a list. */
function isListIndex(word: string): boolean {
  return !/^[\p{L}_]/u.test(word);
}

function fieldPlaces([first = '', ...rest]: readonly string[]): readonly JsonPlace[] | undefined {
  if (rest.length === 0) return singlePlace(first);
  const [second = '', part] = rest;
  switch (first) {
    case 'config':
    case 'state':
    case 'annotations':
    case 'environment':
      return keyPaths(rest).map((keys) => placeOf(first, ...keys));
    case 'metric': {
      const whole = placeOf('metrics', rest.join('.'), 'last');
      if (part === undefined || !['min', 'max', 'last'].includes(part)) return [whole];
      return [whole, placeOf('metrics', second, part)];
    }
    default:
      return undefined;
  }
}

function singlePlace(name: string): readonly JsonPlace[] | undefined {
  if (name === 'progress') return [placeOf('state', name)];
  if (['host', 'reason', 'exception'].includes(name)) return [placeOf('facts', name)];
  if (['script', 'command', 'commit', 'branch', 'sweep'].includes(name)) return [placeOf('spec', name)];
  return undefined;
}

/** All key paths that a name may take through objects, in the order of `lookUp`. */
function keyPaths(words: readonly string[]): readonly (readonly string[])[] {
  const ways: (readonly string[])[] = [[words.join('.')]];
  for (let count = 1; count < words.length; count++) {
    const key = words.slice(0, count).join('.');
    ways.push(...keyPaths(words.slice(count)).map((way) => [key, ...way]));
  }
  return ways;
}
