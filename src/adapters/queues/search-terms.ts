import { isField } from '../../core/jobs/search/field-values.ts';
import { COLUMNS, holdsKey, isPlainKey } from './searched-names.ts';
import type { Dialect } from './session.ts';

/** A name as SQL has it. */
export interface Term {
  readonly sql: string;
  /** `json`: as its type says, and the type may be asked. */
  readonly kind: 'text' | 'number' | 'json';
  /** Of a key of the configuration. */
  readonly key?: string;
  /** Where this holds the configuration may say something else. */
  readonly unless?: string;
  /** A value of SQL is so many of the search. */
  readonly scale?: number;
}

/** Undefined: SQL does not know it, or only with the types of another database. */
export function termOf(name: string, dialect: Dialect): Term | undefined {
  if (!isPlainKey(name) || name.includes('.')) return undefined;
  if (!isField(name)) {
    const sql = dialect.jsonValue?.('config', [name]) ?? '';
    return { sql, kind: 'json', key: name };
  }
  const unless = holdsKey('config', name, dialect);
  const column = name === 'job' ? 'name' : name;
  if (Object.hasOwn(COLUMNS, column)) {
    const isNumber = ['priority', 'workers', 'attempt', 'lost'].includes(column);
    return { sql: COLUMNS[column] ?? '', kind: isNumber ? 'number' : 'text', unless };
  }
  if (name === 'created') return { sql: 'created_at', kind: 'number', unless, scale: 1000 };
  const way = Object.hasOwn(WAYS, name) ? WAYS[name] : undefined;
  if (way === undefined || dialect.jsonValue === undefined) return undefined;
  const sql = dialect.jsonValue('search_facts', way);
  if (name === 'started' || name === 'ended') return { sql, kind: 'number', unless, scale: 1000 };
  return { sql, kind: name === 'progress' ? 'json' : 'text', unless };
}

const WAYS: Readonly<Record<string, readonly string[]>> = {
  started: ['startedAt'],
  ended: ['endedAt'],
  host: ['host'],
  reason: ['reason'],
  exception: ['exception'],
  progress: ['state', 'progress'],
};
