import { setImmediate } from 'node:timers/promises';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { JOB_STATUSES, type Job } from '../core/job.ts';
import type { JobQuery, JobQueue, LogQuery, StatusFilter } from '../core/job-queue.ts';
import { parseSearch, parseWhere } from '../core/search/parse-search.ts';

const STATUSES: readonly string[] = [...JOB_STATUSES, 'UNRESPONSIVE', 'QUEUE'];
const FILTERS = ['user', 'project', 'experiment', 'name', 'sweep'] as const;
const LIST_PARAMETERS = [...FILTERS, 'id', 'status', 'search', 'where', 'before', 'limit'];

/** Query parameters. Unknown names are refused: a mistyped filter would select everything. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

export function parseParameters(query: unknown, known: readonly string[]): Parameters {
  const given = Object.entries(query as Record<string, string | readonly string[]>);
  for (const [name] of given) {
    if (known.includes(name)) continue;
    throw badRequest(`There is no parameter "${name}".`, `There are ${known.join(', ')}.`);
  }
  return new Map(given.map(([name, values]) => [name, typeof values === 'string' ? [values] : values]));
}

/** Filters of /api/jobs and /jobs. Empty parameters count as absent, because forms send them. */
export function parseJobQuery(
  query: unknown,
  limits: { readonly usual: number; readonly most: number },
): JobQuery {
  const parameters = parseParameters(query, LIST_PARAMETERS);
  const [search, where] = [singleParameter(parameters, 'search'), singleParameter(parameters, 'where')];
  if (search !== undefined && where !== undefined)
    throw badRequest('"search" and "where" cannot both be given.', 'Write one condition: where=...');
  const found = search !== undefined ? parseSearch(search) : where && parseWhere(where);
  const [status, before] = [
    statusOf(singleParameter(parameters, 'status')),
    singleParameter(parameters, 'before'),
  ];
  const ids = parameters.get('id');
  const filters = FILTERS.map((name) => [name, singleParameter(parameters, name)] as const);
  return {
    ...Object.fromEntries(filters.filter(([, value]) => value !== undefined)),
    ...(ids && { ids }),
    ...(status && { status }),
    ...(found && { search: found }),
    ...(before !== undefined && { before }),
    limit: countParameter(parameters, 'limit', limits),
  };
}

export function parseLogQuery(query: unknown): LogQuery {
  const parameters = parseParameters(query, ['after', 'tail', 'worker', 'type', 'limit']);
  const [after, type, worker] = [
    singleParameter(parameters, 'after'),
    singleParameter(parameters, 'type'),
    singleParameter(parameters, 'worker'),
  ];
  if (type !== undefined && type !== 'info' && type !== 'error')
    throw badRequest(`"type" is "${type}".`, 'Give info or error.');
  if (worker !== undefined && !/^\d{1,6}$/.test(worker))
    throw badRequest(`"worker" is "${worker}".`, 'Give the rank of a worker: 0, 1, 2 ...');
  if (after !== undefined && !/^\d{1,15}\.\d{1,15}$/.test(after))
    throw badRequest(`"after" is "${after}".`, 'Give what an answer before had as "next".');
  const most = 10_000;
  return {
    ...(after !== undefined && { after }),
    ...(type !== undefined && { type }),
    ...(worker !== undefined && { worker: Number(worker) }),
    ...(parameters.has('tail') && { tail: countParameter(parameters, 'tail', { usual: 100, most }) }),
    limit: countParameter(parameters, 'limit', { usual: 1_000, most }),
  };
}

/** A parameter that may be given once. */
export function singleParameter(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name) ?? [];
  if (values.length > 1) throw badRequest(`"${name}" is given ${values.length} times.`, 'Give it once.');
  return values[0] === '' ? undefined : values[0];
}

function countParameter(
  parameters: Parameters,
  name: string,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const text = singleParameter(parameters, name);
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw badRequest(`"${name}" is "${text}".`, `Give a whole number from 1 to ${most}.`);
}

function statusOf(text: string | undefined): StatusFilter | undefined {
  if (text === undefined) return undefined;
  const status = text.toUpperCase();
  if (STATUSES.includes(status)) return status as StatusFilter;
  throw badRequest(`"status" is "${text}".`, `Give one of ${STATUSES.join(', ')}.`);
}

export function badRequest(message: string, hint: string): NightmarkError {
  return new NightmarkError('JOBS_ASKED', message, { hint });
}

/** The job with this id, or the only one whose id ends with it: people see the last six digits. */
export async function findJob(part: string, queue: JobQueue): Promise<Job> {
  const text = part.toLowerCase();
  if (/^[0-9a-f]{24}$/.test(text)) {
    const job = await queue.job(text);
    if (job) return job;
  } else if (/^[0-9a-f]{6,23}$/.test(text)) {
    const ends = (await queue.idsWith(text, 100)).filter((id) => id.endsWith(text));
    const [only = ''] = ends;
    const job = ends.length === 1 ? await queue.job(only) : undefined;
    if (job) return job;
  }
  throw new NightmarkError('JOBS_UNKNOWN', `There is no job "${part.slice(0, 60)}".`, {
    hint: '/api/jobs lists them; an id has 24 digits, of which the last six are enough where no other job has them.',
  });
}

const PAGE = 500;

/** Reads jobs page by page, so that other requests are served in between. */
export async function listAll(queue: JobQueue, query: JobQuery): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (let before = query.before; ; ) {
    const limit = Math.min(PAGE, query.limit - jobs.length);
    const page = await queue.list({ ...query, limit, ...(before !== undefined && { before }) });
    jobs.push(...page);
    if (page.length < limit || jobs.length >= query.limit) return jobs;
    before = page.at(-1)?.id;
    await setImmediate();
  }
}

const KEY_LENGTH = 200;

export interface Annotation {
  readonly id: string;
  readonly key: string;
  /** Null and undefined remove it. */
  readonly value?: JsonValue | undefined;
}

/** Sets an annotation; undefined when there is no such job. */
export async function annotate(queue: JobQueue, { id, key, value }: Annotation): Promise<Job | undefined> {
  if (key.length > KEY_LENGTH || key.split('.').some((part) => part.trim() === ''))
    throw new NightmarkError('JOBS_ASKED', `${JSON.stringify(key)} cannot be the key of an annotation.`, {
      hint: `Give 1 to ${KEY_LENGTH} characters, such as star, description or review.by.`,
    });
  return queue.annotate(id, key, value ?? undefined);
}

/** What chooses jobs. */
export const LIST_QUERY_DOC = {
  search: 'a search, as people type it',
  where: 'a condition',
  status: 'CREATED, RUNNING ... or QUEUE, UNRESPONSIVE',
  user: 'whose',
  project: 'of this project',
  experiment: 'of this experiment',
  name: 'of this name',
  sweep: 'of this sweep',
  id: 'of this id; several times for several',
  before: 'older than this id; what "nextBefore" of a page is',
  limit: 'how many: 100, at most 1000',
};

/** Limits of one request: more is refused, never truncated. */
const MOST = { jobs: 100_000, values: 2_000_000, bytes: 64 * 1024 * 1024 } as const;
export type Budgeted = keyof typeof MOST;

const UNITS: Readonly<Record<Budgeted, string>> = {
  jobs: 'jobs',
  values: 'values of metrics',
  bytes: 'bytes of files and logs',
};

/** Adds up what one request reads. */
export class Budget {
  readonly #left: Record<Budgeted, number> = { ...MOST };

  left(what: Budgeted): number {
    return this.#left[what];
  }

  take(what: Budgeted, count: number): void {
    this.#left[what] -= count;
    if (this.#left[what] >= 0) return;
    throw new NightmarkError('JOBS_TOO_MUCH', `One request gets at most ${MOST[what]} ${UNITS[what]}.`, {
      hint: 'Ask for fewer jobs (limit, ids, project, status), or in several requests.',
    });
  }
}
