import { fieldNeeds, type SearchedPart } from '../../core/jobs/search/searched-parts.ts';
import type { Dialect } from './session.ts';

/** A part of a job that an expression looks at: the SQL that gives it as JSON, empty where the job has it not. */
export interface ReadPart {
  readonly part: SearchedPart;
  readonly sql: string;
}

/** More keys than this are not asked for one by one. */
const MOST_PARTS = 24;

/** What must be read of a job to know the values of the names, as little as can be said in SQL. */
export function partsToRead(names: readonly string[], dialect: Dialect): readonly ReadPart[] {
  const needs = new Map(names.flatMap(fieldNeeds).map((part) => [`${part.group} ${part.key ?? ''}`, part]));
  const groups = new Set([...needs.values()].filter(isUnsafe).map(({ group }) => group));
  const isMany = needs.size > MOST_PARTS;
  const parts = new Map<string, ReadPart>();
  for (const [name, { group, key }] of needs) {
    const isWhole = KEYED[group] !== undefined && (isMany || groups.has(group));
    const part = isWhole || key === undefined ? { group } : { group, key };
    parts.set(isWhole ? group : name, { part, sql: readSql(part, dialect) });
  }
  return [...parts.values()];
}

/** The column and the way to the keys of a group. */
const KEYED: Readonly<Record<string, readonly [column: string, ...way: readonly string[]]>> = {
  config: ['config'],
  spec: ['search_spec'],
  facts: ['search_facts'],
  state: ['search_facts', 'state'],
  annotations: ['search_facts', 'annotations'],
  environment: ['search_facts', 'environment'],
  metrics: ['search_facts', 'metrics'],
};

/** Fields that are columns. */
export const COLUMNS: Readonly<Record<string, string>> = {
  ...{ id: 'j.id', user: 'user_name', project: 'project', experiment: 'experiment', name: 'name' },
  ...{ status: 'status', executor: 'executor' },
  ...{ priority: 'priority', workers: 'workers', attempt: 'attempt', lost: 'lost' },
};
const NUMBERS = new Set(['priority', 'workers', 'attempt', 'lost']);

function readSql({ group, key }: SearchedPart, dialect: Dialect): string {
  const keyed = KEYED[group];
  if (keyed === undefined) return columnSql(key ?? '', dialect);
  const [column, ...way] = keyed;
  if (key === undefined) return way.length === 0 ? column : `coalesce(${dialect.jsonText(column, way)}, '')`;
  const found = `CASE WHEN ${holdsKey(column, key, dialect)} THEN ${dialect.jsonText(column, [...way, key])} END`;
  return `coalesce(${found}, '')`;
}

function columnSql(field: string, dialect: Dialect): string {
  if (field === 'heartbeatAt') return `coalesce(heartbeat_at || '', '')`;
  const column = COLUMNS[field] ?? '';
  return NUMBERS.has(field) ? column : dialect.quoted(column);
}

/** Whether a key may be in a JSON text: much quicker than to read the text, and most jobs do not have most keys. */
export function holdsKey(column: string, key: string, dialect: Dialect): string {
  return `${dialect.place(column, `'"${key}":'`)} > 0`;
}

/** Keys that cannot be written into a path as they are, or would not be keys of an object again. */
export function isPlainKey(key: string): boolean {
  return /^[\p{L}\p{N}_./ -]+$/u.test(key) && key !== '__proto__';
}

function isUnsafe({ key }: SearchedPart): boolean {
  return key !== undefined && !isPlainKey(key);
}
