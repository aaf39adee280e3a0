import { isField } from '../../core/search/job-fields.ts';
import type { JsonPlace } from './json-dialect.ts';
import { COLUMNS, isNumberColumn, isPlainKey, placeOf } from './searched-names.ts';
import type { Dialect } from './session.ts';

/** A name as SQL has it: a value of a known kind, or one in JSON of any kind. */
export type Term = (ColumnTerm | { readonly kind: 'json'; readonly place: JsonPlace }) & {
  /** Where this holds the configuration may say something else. */
  readonly unless?: string;
};

type ColumnTerm =
  | { readonly kind: 'text'; readonly sql: string }
  /** A value of SQL is so many (`scale`) of the search, give or take `slack`. */
  | { readonly kind: 'number'; readonly sql: string; readonly scale?: number; readonly slack?: number };

/** Undefined: SQL does not know it. */
export function termOf(name: string, dialect: Dialect): Term | undefined {
  if (!isPlainKey(name)) return undefined;
  if (name.includes('.')) return dottedTerm(name, dialect);
  if (!isField(name)) return { kind: 'json', place: placeOf('config', name) };
  const unless = hides(dialect, name);
  if (name === 'progress') return { kind: 'json', place: placeOf('state', name), unless };
  const term = columnTerm(name === 'job' ? 'name' : name) ?? documentTerm(name, dialect);
  return term && { ...term, unless };
}

/** The moment of submission stands in the table in whole ones. */
const MILLISECONDS = { kind: 'number', scale: 1000 } as const;

function columnTerm(name: string): ColumnTerm | undefined {
  if (name === 'created') return { sql: 'created_at', ...MILLISECONDS, slack: 1 };
  if (!Object.hasOwn(COLUMNS, name)) return undefined;
  return { sql: COLUMNS[name] ?? '', kind: isNumberColumn(name) ? 'number' : 'text' };
}

function documentTerm(name: string, { json }: Dialect): ColumnTerm | undefined {
  const started = json.number(placeOf('facts', 'startedAt'));
  const ended = json.number(placeOf('facts', 'endedAt'));
  const times: Readonly<Record<string, string>> = {
    ...{ started, ended, duration: `(coalesce(${ended}, heartbeat_at) - ${started})` },
  };
  if (name === 'waited') return { sql: `(${started} - created_at)`, ...MILLISECONDS, slack: 1 };
  if (Object.hasOwn(times, name)) return { sql: times[name] ?? '', ...MILLISECONDS };
  if (['host', 'reason', 'exception'].includes(name)) {
    return { sql: json.plain(placeOf('facts', name)), kind: 'text' };
  }
  if (!['script', 'command', 'commit', 'branch', 'sweep'].includes(name)) return undefined;
  return { sql: json.plain(placeOf('spec', name)), kind: 'text' };
}

/** Two words: a key of a key, or one of a group. Where the whole name or its beginning is a key as well, anything may be. */
function dottedTerm(name: string, dialect: Dialect): Term | undefined {
  const { json } = dialect;
  const [first = '', second = '', ...others] = name.split('.');
  if (second === '' || /^\d/.test(second)) return undefined;
  if (first === 'metric') {
    const [part = 'last', ...more] = others;
    if (more.length > 0 || !['last', 'min', 'max'].includes(part)) return undefined;
    const ways = [hides(dialect, 'metric', name, ...(others.length > 0 ? [`metric.${second}`] : []))];
    if (others.length > 0) ways.push(json.has(placeOf('metrics', `${second}.${part}`)));
    return { kind: 'json', place: placeOf('metrics', second, part), unless: ways.join(' OR ') };
  }
  if (others.length > 0 || first === 'config') return undefined;
  if (!isField(name)) {
    return { kind: 'json', place: placeOf('config', first, second), unless: hides(dialect, name) };
  }
  if (first !== 'state' && first !== 'annotations' && first !== 'environment') return undefined;
  return { kind: 'json', place: placeOf(first, second), unless: hides(dialect, first, name) };
}

/** The configuration has one of these keys; `oddKeys` has listed each that can be asked for here. */
export function hides({ place }: Dialect, ...keys: readonly string[]): string {
  const isListed = keys.map((key) => `${place('odd_keys', `'\n${key}\n'`)} > 0`);
  return `(odd_keys <> '' AND (${isListed.join(' OR ')}))`;
}
