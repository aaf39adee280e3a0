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
  if (!isPlainKey(name)) return undefined;
  if (name.includes('.')) return dottedTerm(name, dialect);
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
  return documentTerm(name, unless, dialect);
}

function documentTerm(name: string, unless: string, { jsonValue }: Dialect): Term | undefined {
  if (jsonValue === undefined) return undefined;
  const [started, ended] = ['startedAt', 'endedAt'].map((key) => jsonValue('search_facts', [key]));
  const times: Readonly<Record<string, string | undefined>> = {
    ...{ started, ended, duration: `(coalesce(${ended}, heartbeat_at) - ${started})` },
    waited: `(${started} - ${jsonValue('search_spec', ['createdAt'])})`,
  };
  const time = Object.hasOwn(times, name) ? times[name] : undefined;
  if (time !== undefined) return { sql: time, kind: 'number', unless, scale: 1000 };
  if (name === 'progress') return { sql: jsonValue('search_facts', ['state', name]), kind: 'json', unless };
  if (['host', 'reason', 'exception'].includes(name))
    return { sql: jsonValue('search_facts', [name]), kind: 'text', unless };
  if (!['script', 'command', 'commit', 'branch', 'sweep'].includes(name)) return undefined;
  return { sql: jsonValue('search_spec', [name]), kind: 'text', unless };
}

/** Two words: a key of a key, or one of a group. Where the whole name or its beginning is a key as well, anything may be. */
function dottedTerm(name: string, dialect: Dialect): Term | undefined {
  const [first = '', second = '', ...others] = name.split('.');
  if (dialect.jsonValue === undefined || second === '' || /^\d/.test(second)) return undefined;
  const holds = (column: string, key: string) => holdsKey(column, key, dialect);
  if (first === 'metric') {
    const [part = 'last', ...more] = others;
    if (more.length > 0 || !['last', 'min', 'max'].includes(part)) return undefined;
    const sql = dialect.jsonValue('search_facts', ['metrics', second, part]);
    const ways = [holds('config', 'metric'), holds('config', name), holds('config', `metric.${second}`)];
    if (others.length > 0) ways.push(holds('search_facts', `${second}.${part}`));
    return { sql, kind: 'json', unless: ways.join(' OR ') };
  }
  if (others.length > 0 || first === 'config') return undefined;
  if (!isField(name)) {
    const sql = dialect.jsonValue('config', [first, second]);
    return { sql, kind: 'json', unless: holds('config', name) };
  }
  const sql = dialect.jsonValue('search_facts', [first, second]);
  return { sql, kind: 'json', unless: `${holds('config', first)} OR ${holds('config', name)}` };
}
