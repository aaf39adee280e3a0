import { NightmarkError } from '../../platform/core/errors.ts';
import { JOB_STATUSES } from '../core/job.ts';
import type { JobQuery, LogQuery, StatusFilter } from '../core/job-queue.ts';
import { parseSearch, parseWhere } from '../core/search/parse-search.ts';

const STATUSES: readonly string[] = [...JOB_STATUSES, 'UNRESPONSIVE', 'QUEUE'];
const FILTERS = ['user', 'project', 'experiment', 'name', 'sweep'] as const;
const OF_LIST = [...FILTERS, 'id', 'status', 'search', 'where', 'before', 'limit'];

/** Parameters of an address; names that mean nothing are refused: a mistyped filter would give everything. */
export type Asked = ReadonlyMap<string, readonly string[]>;

export function askedOf(query: unknown, known: readonly string[]): Asked {
  const given = Object.entries(query as Record<string, string | readonly string[]>);
  for (const [name] of given) {
    if (known.includes(name)) continue;
    throw refused(`There is no parameter "${name}".`, `There are ${known.join(', ')}.`);
  }
  return new Map(given.map(([name, values]) => [name, typeof values === 'string' ? [values] : values]));
}

/** What /api/jobs and /jobs list. Empty parameters count as absent, as forms send them. */
export function askedJobs(
  query: unknown,
  limits: { readonly usual: number; readonly most: number },
): JobQuery {
  const asked = askedOf(query, OF_LIST);
  const [search, where] = [single(asked, 'search'), single(asked, 'where')];
  if (search !== undefined && where !== undefined)
    throw refused('"search" and "where" cannot both be given.', 'Write one condition: where=...');
  const found = search !== undefined ? parseSearch(search) : where && parseWhere(where);
  const [status, before] = [statusOf(single(asked, 'status')), single(asked, 'before')];
  const ids = asked.get('id');
  const filters = FILTERS.map((name) => [name, single(asked, name)] as const);
  return {
    ...Object.fromEntries(filters.filter(([, value]) => value !== undefined)),
    ...(ids && { ids }),
    ...(status && { status }),
    ...(found && { search: found }),
    ...(before !== undefined && { before }),
    limit: askedCount(asked, 'limit', limits),
  };
}

export function askedLogs(query: unknown): LogQuery {
  const asked = askedOf(query, ['after', 'tail', 'worker', 'type', 'limit']);
  const [after, type, worker] = [single(asked, 'after'), single(asked, 'type'), single(asked, 'worker')];
  if (type !== undefined && type !== 'info' && type !== 'error')
    throw refused(`"type" is "${type}".`, 'Give info or error.');
  if (worker !== undefined && !/^\d{1,6}$/.test(worker))
    throw refused(`"worker" is "${worker}".`, 'Give the rank of a worker: 0, 1, 2 ...');
  if (after !== undefined && !/^\d{1,15}\.\d{1,15}$/.test(after))
    throw refused(`"after" is "${after}".`, 'Give what an answer before had as "next".');
  const most = 10_000;
  return {
    ...(after !== undefined && { after }),
    ...(type !== undefined && { type }),
    ...(worker !== undefined && { worker: Number(worker) }),
    ...(asked.has('tail') && { tail: askedCount(asked, 'tail', { usual: 100, most }) }),
    limit: askedCount(asked, 'limit', { usual: 1_000, most }),
  };
}

/** A parameter that is given once, if at all. */
export function single(asked: Asked, name: string): string | undefined {
  const values = asked.get(name) ?? [];
  if (values.length > 1) throw refused(`"${name}" is given ${values.length} times.`, 'Give it once.');
  return values[0] === '' ? undefined : values[0];
}

function askedCount(
  asked: Asked,
  name: string,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const text = single(asked, name);
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw refused(`"${name}" is "${text}".`, `Give a whole number from 1 to ${most}.`);
}

function statusOf(text: string | undefined): StatusFilter | undefined {
  if (text === undefined) return undefined;
  const status = text.toUpperCase();
  if (STATUSES.includes(status)) return status as StatusFilter;
  throw refused(`"status" is "${text}".`, `Give one of ${STATUSES.join(', ')}.`);
}

export function refused(message: string, hint: string): NightmarkError {
  return new NightmarkError('JOBS_ASKED', message, { hint });
}
