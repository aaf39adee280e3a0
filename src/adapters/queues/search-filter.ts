import { expressionMatcher, textMatcher } from '../../core/jobs/search/matches.ts';
import type { Expression, JobSearch } from '../../core/jobs/search/search.ts';
import { jobOfParts } from '../../core/jobs/search/searched-parts.ts';
import type { JsonValue } from '../../core/text/json.ts';
import { partsToRead } from './searched-names.ts';
import type { Dialect } from './session.ts';

/** A job of a page of a search: its id, and what the filter looks at. */
export type Found = readonly [id: string, ...further: readonly unknown[]];

export interface Filter {
  /** Further parts of the JSON text of a row, each with its comma. */
  readonly further: string;
  isFound(found: Found): boolean;
}

export function filterOf(search: JobSearch | undefined, dialect: Dialect): Filter {
  if (search === undefined) return { further: '', isFound: () => true };
  if (search.type === 'expression') return expressionFilter(search.expression, dialect);
  const isFound = textMatcher(search);
  const texts = ['name', 'experiment', 'description'].map(dialect.quoted);
  return {
    further: texts.map((text) => ` || ',' || ${text}`).join(''),
    isFound: ([, ...given]) => isFound(given as string[]),
  };
}

/** Each value stands in a list of its own: an empty one is a value that the job does not have. */
function expressionFilter(expression: Expression, dialect: Dialect): Filter {
  const isMatch = expressionMatcher(expression);
  const read = partsToRead(namesIn(expression), dialect);
  const parts = read.map(({ part }) => part);
  return {
    further: read.map(({ sql }) => ` || ',[' || ${sql} || ']'`).join(''),
    isFound: (found) => {
      const values = parts.map((_, at) => (found[at + 1] as readonly JsonValue[])[0]);
      return isMatch(jobOfParts(parts, values));
    },
  };
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
