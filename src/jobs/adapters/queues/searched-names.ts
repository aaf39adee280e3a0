import { partsOfName, type SearchedPart } from '../../core/search/searched-parts.ts';
import type { JsonPlace } from './json-dialect.ts';
import type { Dialect } from './session.ts';

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

export function isNumberColumn(field: string): boolean {
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
