import { isField } from '../../core/search/job-fields.ts';
import type { JsonPlace } from './json-dialect.ts';
import { ABSENT_SQL, COLUMNS, columnSql, isPlainKey, placeOf } from './searched-names.ts';
import type { Dialect } from './session.ts';

/** A longer name has too many ways, and an expression with more of them is read otherwise. */
const MOST_WORDS = 3;
const MOST_WAYS = 24;

/**
 * SQL for the JSON of the value of each name, ABSENT where a job has none: the first that there is of all that the name may
 * mean. Undefined where one of them is not that simple; then parts of the jobs are read, and looked into outside of SQL.
 */
export function directValues(names: readonly string[], dialect: Dialect): readonly string[] | undefined {
  const all = names.map((name) => meaningsOf(name, dialect));
  const known = all.flatMap((meanings) => (meanings === undefined ? [] : [meanings]));
  if (known.length < all.length || known.flat().length > MOST_WAYS) return undefined;
  return known.map((meanings) => `coalesce(${[...meanings, ABSENT_SQL].join(', ')})`);
}

function meaningsOf(name: string, dialect: Dialect): readonly string[] | undefined {
  const words = name.split('.');
  if (!isPlainKey(name) || words.length > MOST_WORDS || words.slice(1).some(isNoKey)) return undefined;
  const sqlOf = (places: readonly JsonPlace[]) => places.map((place) => dialect.json.text(place));
  const configured = sqlOf(waysInto(words).map((keys) => placeOf('config', ...keys)));
  if (!isField(name)) return configured;
  const column = name === 'job' ? 'name' : name;
  if (Object.hasOwn(COLUMNS, column)) return [...configured, columnSql(column, dialect)];
  const field = fieldPlaces(words);
  return field && [...configured, ...sqlOf(field)];
}

/** What may be a place in a list. */
function isNoKey(word: string): boolean {
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
      return waysInto(rest).map((keys) => placeOf(first, ...keys));
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

/** The keys on all ways that a name may go through objects, in the order of `lookUp`. */
function waysInto(words: readonly string[]): readonly (readonly string[])[] {
  const ways: (readonly string[])[] = [[words.join('.')]];
  for (let count = 1; count < words.length; count++) {
    const key = words.slice(0, count).join('.');
    ways.push(...waysInto(words.slice(count)).map((way) => [key, ...way]));
  }
  return ways;
}
