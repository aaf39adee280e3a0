import { isField } from '../../core/search/job-fields.ts';
import { partsOfName, type SearchedPart } from '../../core/search/searched-parts.ts';
import type { Dialect, JsonPlace, Value } from './sql-database.ts';

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

/** A part of a job that an expression looks at: the SQL that gives it as JSON. */
export interface ReadPart {
  readonly part: SearchedPart;
  readonly sql: string;
}

/** Stands for what a job does not have: no text of a job has this sign. */
export const ABSENT = '\0';
export const ABSENT_SQL = `'"\\u0000"'`;

/** More keys than this are not asked for one by one. */
const MOST_PARTS = 24;

/** What must be read of a job to know the values of the names, as little as can be said in SQL. */
export function partsToRead(names: readonly string[], dialect: Dialect): readonly ReadPart[] {
  const needs = new Map(names.flatMap(partsOfName).map((part) => [`${part.group} ${part.key ?? ''}`, part]));
  const groups = new Set([...needs.values()].filter(isUnsafe).map(({ group }) => group));
  const isMany = needs.size > MOST_PARTS;
  const parts = new Map<string, ReadPart>();
  for (const [name, { group, key }] of needs) {
    const isWhole = group !== 'column' && (isMany || groups.has(group));
    const part = isWhole || key === undefined ? { group } : { group, key };
    parts.set(isWhole ? group : name, { part, sql: `coalesce(${readSql(part, dialect)}, ${ABSENT_SQL})` });
  }
  return [...parts.values()];
}

type Group = Exclude<SearchedPart['group'], 'column'>;

/** Where a key of a group stands, or without keys the group. */
export function placeOf(group: Group, ...keys: readonly string[]): JsonPlace {
  if (group === 'config') return { column: 'searched_config', keys, original: { text: CONFIG, keys } };
  if (group === 'spec') return { column: 'searched_spec', keys };
  if (group === 'facts') return { column: 'searched_facts', keys };
  const way = [group, ...keys];
  // Of a metric nothing is shown that has an order.
  if (group === 'metrics') return { column: 'searched_facts', keys: way };
  return { column: 'searched_facts', keys: way, original: { text: FACTS, keys: way } };
}

const CONFIG = '(SELECT config FROM job_documents d WHERE d.id = j.id)';
const FACTS = '(SELECT facts FROM job_documents d WHERE d.id = j.id)';

/** Fields that are columns. */
export const COLUMNS: Readonly<Record<string, string>> = {
  ...{ id: 'j.id', user: 'user_name', project: 'project', experiment: 'experiment', name: 'name' },
  ...{ status: 'status', executor: 'executor' },
  ...{ priority: 'priority', workers: 'workers', attempt: 'attempt', lost: 'lost' },
};
const NUMBERS = new Set(['priority', 'workers', 'attempt', 'lost']);

function isNumberColumn(field: string): boolean {
  return NUMBERS.has(field);
}

function readSql({ group, key }: SearchedPart, dialect: Dialect): string {
  if (group === 'column') return columnSql(key ?? '', dialect);
  return dialect.json.text(placeOf(group, ...(key === undefined ? [] : [key])));
}

/** As JSON. */
export function columnSql(field: string, dialect: Dialect): string {
  if (field === 'heartbeatAt') return `heartbeat_at || ''`;
  const column = COLUMNS[field] ?? '';
  return NUMBERS.has(field) ? `${column} || ''` : dialect.quoted(column);
}

/** Keys that cannot be written into a path as they are, or would not be keys of an object again. */
export function isPlainKey(key: string): boolean {
  return /^[\p{L}\p{N}_./ -]+$/u.test(key) && key !== '__proto__';
}

function isUnsafe({ key }: SearchedPart): boolean {
  return key !== undefined && !isPlainKey(key);
}

/**
 * What must hold where an expression is true, and where it is false; a job of which it is not known may be in either.
 * Undefined: anything may hold. They are made when they are used, for then their values get their numbers.
 */
export interface Bounds {
  readonly yes: Condition;
  readonly no: Condition;
}

export type Condition = (() => string) | undefined;

export const NO_BOUNDS: Bounds = { yes: undefined, no: undefined };

export interface Scope {
  readonly dialect: Dialect;
  /** Gives a value its number in the statement. */
  readonly next: (value: Value) => string;
}
