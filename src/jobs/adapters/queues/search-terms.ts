import { isField } from '../../core/search/job-fields.ts';
import { partsOfName, type SearchedPart } from '../../core/search/searched-parts.ts';
import type { Dialect, JsonPlace, Value } from './sql-database.ts';

/** A name in SQL: a column of a known type, or a JSON value of any type. */
export type Term = (ColumnTerm | { readonly kind: 'json'; readonly place: JsonPlace }) & {
  /** Where this condition holds, the configuration may shadow the field. */
  readonly unless?: string;
};

type ColumnTerm =
  | { readonly kind: 'text'; readonly sql: string }
  /** SQL value = value in the search times `scale`, give or take `slack`. */
  | { readonly kind: 'number'; readonly sql: string; readonly scale?: number; readonly slack?: number };

/** Undefined: it cannot be expressed in SQL. */
export function termOf(name: string, dialect: Dialect): Term | undefined {
  if (!isPlainKey(name)) return undefined;
  if (name.includes('.')) return dottedTerm(name, dialect);
  if (!isField(name)) return { kind: 'json', place: placeOf('config', name) };
  const unless = hides(dialect, name);
  if (name === 'progress') return { kind: 'json', place: placeOf('state', name), unless };
  const term = columnTerm(name === 'job' ? 'name' : name) ?? documentTerm(name, dialect);
  return term && { ...term, unless };
}

/** The table stores the time of submission in whole milliseconds. */
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

/** A nested key, or a key of a group. Where the whole name or its first part is a key as well, the value is unknown. */
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

/** The configuration has one of these keys; `oddKeys` lists each that can occur here. */
export function hides({ place }: Dialect, ...keys: readonly string[]): string {
  const isListed = keys.map((key) => `${place('odd_keys', `'\n${key}\n'`)} > 0`);
  return `(odd_keys <> '' AND (${isListed.join(' OR ')}))`;
}

/** A part of a job that an expression needs, with its SQL as JSON. */
export interface ReadPart {
  readonly part: SearchedPart;
  readonly sql: string;
}

/** Marks a missing value: no stored text contains NUL. */
export const ABSENT = '\0';
export const ABSENT_SQL = `'"\\u0000"'`;

/** With more keys whole groups are read. */
const MAX_PARTS = 24;

/** The parts of a job that determine the values of the names, as few as SQL can select. */
export function partsToRead(names: readonly string[], dialect: Dialect): readonly ReadPart[] {
  const needs = new Map(names.flatMap(partsOfName).map((part) => [`${part.group} ${part.key ?? ''}`, part]));
  const groups = new Set([...needs.values()].filter(isUnsafe).map(({ group }) => group));
  const isMany = needs.size > MAX_PARTS;
  const parts = new Map<string, ReadPart>();
  for (const [name, { group, key }] of needs) {
    const isWhole = group !== 'column' && (isMany || groups.has(group));
    const part = isWhole || key === undefined ? { group } : { group, key };
    parts.set(isWhole ? group : name, { part, sql: `coalesce(${readSql(part, dialect)}, ${ABSENT_SQL})` });
  }
  return [...parts.values()];
}

type Group = Exclude<SearchedPart['group'], 'column'>;

/** JSON path of a key of a group, or without keys the group. */
export function placeOf(group: Group, ...keys: readonly string[]): JsonPlace {
  if (group === 'config') return { column: 'searched_config', keys, original: { text: CONFIG, keys } };
  if (group === 'spec') return { column: 'searched_spec', keys };
  if (group === 'facts') return { column: 'searched_facts', keys };
  const way = [group, ...keys];
  // Metrics have no objects whose key order is displayed.
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

/** Keys that can be written into a JSON path unescaped. */
export function isPlainKey(key: string): boolean {
  return /^[\p{L}\p{N}_./ -]+$/u.test(key) && key !== '__proto__';
}

function isUnsafe({ key }: SearchedPart): boolean {
  return key !== undefined && !isPlainKey(key);
}

/**
 * SQL conditions that hold wherever an expression is true (`yes`) and wherever it is false (`no`); a job for which it is
 * unknown may satisfy either. Undefined: no condition. They are functions, because parameters are numbered when they are used.
 */
export interface Bounds {
  readonly yes: Condition;
  readonly no: Condition;
}

export type Condition = (() => string) | undefined;

export const NO_BOUNDS: Bounds = { yes: undefined, no: undefined };

export interface Scope {
  readonly dialect: Dialect;
  /** Adds a parameter to the statement. */
  readonly next: (value: Value) => string;
}
