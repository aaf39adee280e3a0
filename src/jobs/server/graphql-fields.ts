import type { PointReader } from '../../metrics/core/points/point-reader.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { Job } from '../core/job.ts';
import type { JobQuery, StatusFilter } from '../core/job-queue.ts';
import type { JobSearch } from '../core/job-search.ts';
import { parseSearch } from '../core/search/parse-search.ts';
import { shownStatus } from '../core/shown-job.ts';
import { outputText } from './file-routes.ts';
import { annotate, Budget, listAll } from './job-requests.ts';
import {
  extremeRow,
  filteredSeries,
  newestRow,
  type SeriesFilter,
  SeriesFinder,
  type SeriesRow,
  seriesRows,
} from './job-series.ts';
import type { JobEffects } from './job-service.ts';

interface JobsArguments {
  readonly ids?: readonly (string | null)[] | null;
  readonly user?: string | null;
  readonly project?: string | null;
  readonly experiment?: string | null;
  readonly job?: string | null;
  readonly search?: string | null;
  readonly status?: StatusFilter | null;
  readonly limit?: number | null;
}

interface AnnotationArguments {
  readonly jobId: string;
  readonly key: string;
  readonly value?: JsonValue;
}

/** The fields of Query and Mutation. */
export const ROOT_FIELDS = {
  async job({ id }: { readonly id: string }, context: GraphqlContext) {
    const job = await context.effects.jobs.queue.job(id);
    return job && jobFields(job, context);
  },

  async jobs(filter: JobsArguments, context: GraphqlContext) {
    const { queue } = context.effects.jobs;
    const query = queryOf(filter);
    if (query === undefined) return [];
    const limit = Math.max(0, filter.limit ?? 0) || Number.MAX_SAFE_INTEGER;
    // One more than may be given shows that it would be too many.
    const jobs = await listAll(queue, { ...query, limit: Math.min(limit, context.budget.left('jobs') + 1) });
    context.budget.take('jobs', jobs.length);
    return jobs.map((job) => jobFields(job, context));
  },

  async setAnnotation({ jobId, key, value }: AnnotationArguments, context: GraphqlContext) {
    const job = await annotate(context.effects.jobs.queue, { id: jobId, key, value });
    return job && jobFields(job, context);
  },
};

/** Undefined: nothing matches. Null means the same as nothing, as the old page sends it. */
function queryOf(filter: JobsArguments): Omit<JobQuery, 'limit'> | undefined {
  const { ids, user, project, experiment, job: name, status } = filter;
  const search = searchOf(filter.search ?? '');
  if (search === 'nothing') return undefined;
  const texts = Object.entries({ user, project, experiment, name }).filter(([, text]) => text != null);
  return {
    ...Object.fromEntries(texts),
    ...(ids != null && { ids: ids.filter((id) => id !== null) }),
    ...(status != null && { status }),
    ...(search && { search }),
  };
}

/** A search that cannot be read matches nothing, as it always did. */
function searchOf(text: string): JobSearch | 'nothing' | undefined {
  try {
    return parseSearch(text);
  } catch (error) {
    if (error instanceof NightmarkError) return 'nothing';
    throw error;
  }
}

const ENTRIES_AT_ONCE = 5_000;

/** A job as the old type Job: expensive fields are read on demand. */
function jobFields(job: Job, context: GraphqlContext) {
  const { queue } = context.effects.jobs;
  const text = (filename: string) => context.inTurn(() => fileText(job, filename, context));
  return {
    id: job.id,
    user: job.user,
    project: job.project,
    experiment: job.experiment,
    job: job.name,
    status: shownStatus(job, queue.now()),
    host: job.host,
    outputDirectory: job.outputDir,
    creationTime: job.createdAt,
    startTime: job.startedAt,
    endTime: job.endedAt,
    exception: job.exception,
    progress: typeof job.state['progress'] === 'number' ? job.state['progress'] : null,
    config: pairsOf(job.config),
    annotations: pairsOf(job.annotations),
    environment: environmentOf(job),
    images: Object.entries(job.images).map(([key, path]) => ({ key, path })),
    timings: job.timings.map(({ rank, ...timing }) => ({ ...timing, worker: rank })),
    logs: async () => (await loggedText(job, context)) ?? (await text('output.txt')),
    textFile: ({ filename }: { readonly filename: string }) => text(filename),
    jsonFile: async ({ filename }: { readonly filename: string }) =>
      parsed((await text(filename)) ?? 'null', filename),
    timeseries: (filter: SeriesFilter) => seriesFields(job, filter, context),
  };
}

function pairsOf(object: JsonObject) {
  return Object.entries(object).map(([key, value]) => ({ key, value }));
}

function environmentOf({ program, code }: Job) {
  return {
    script: program.type === 'script' ? program.path : program.argv.map(shellQuote).join(' '),
    clone: code && { path: code.type === 'path' ? code.path : null },
  };
}

/** Undefined: the queue has no log of it. */
async function loggedText(
  { id }: Job,
  { effects: { jobs }, budget }: GraphqlContext,
): Promise<string | undefined> {
  const messages: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = { worker: 0, limit: ENTRIES_AT_ONCE, ...(after !== undefined && { after }) };
    const { entries, next } = await jobs.queue.logs(id, page);
    for (const { message } of entries) {
      budget.take('bytes', message.length + 1);
      messages.push(message);
    }
    if (entries.length < ENTRIES_AT_ONCE) break;
    after = next;
  }
  return messages.length === 0 ? undefined : messages.join('\n');
}

async function fileText(job: Job, filename: string, context: GraphqlContext): Promise<string | undefined> {
  const { disk, jobs } = context.effects;
  return outputText(job, filename, { disk, results: jobs.results, budget: context.budget });
}

function parsed(text: string, filename: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NightmarkError('JOBS_NOT_JSON', `${JSON.stringify(filename)} of the job holds no JSON.`, {
      hint: 'Request it as textFile.',
      cause: error,
    });
  }
}

/** Metrics of a job as the type Timeseries. */
function seriesFields(job: Job, filter: SeriesFilter, context: GraphqlContext) {
  return filteredSeries(context.series.seriesOf(job), filter).map((series) => {
    let read: Promise<readonly SeriesRow[]> | undefined;
    const rows = () => {
      read ??= seriesRows(series, context);
      return read;
    };
    return {
      measurement: series.measurement,
      tags: series.tags,
      jobId: job.id,
      values: rows,
      currentValue: () => newestRow(series, context),
      maxValue: async () => extremeRow(series, await rows(), 'max'),
      minValue: async () => extremeRow(series, await rows(), 'min'),
    };
  });
}

/** What the fields of one request share. */
export interface GraphqlContext {
  readonly effects: JobEffects;
  readonly budget: Budget;
  readonly series: SeriesFinder;
  readonly reader: PointReader | undefined;
  /** One file after the other: a thousand jobs must not open a thousand files at once. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export function newContext(effects: JobEffects): GraphqlContext {
  let last: Promise<unknown> = Promise.resolve();
  return {
    effects,
    budget: new Budget(),
    series: new SeriesFinder(effects.reader),
    reader: effects.reader,
    inTurn(work) {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
  };
}
