import {
  anything,
  count,
  fields,
  list,
  mapOf,
  type RouteDescription,
  text,
  timestamp,
} from '../../platform/server/route-config.ts';

const job = {
  id: text,
  status: text,
  project: text,
  experiment: text,
  name: text,
  user: text,
  envNames: list(text),
  annotations: mapOf(anything),
};
/** What chooses jobs. */
export const OF_LIST = {
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

/** What may be asked about jobs: docs/reference/jobs-api.md tells more. */
export const READ_DOCS = {
  list: {
    summary: 'Jobs, newest first',
    query: OF_LIST,
    answer: fields({ jobs: list(fields(job)), 'nextBefore?': text }),
  },
  token: { summary: 'A word that changes with what would be answered', answer: fields({ token: text }) },
  job: { summary: 'Everything about a job; of its variables only the names', answer: fields(job) },
  logs: {
    summary: 'What a job printed',
    query: {
      after: 'only what came later; "next" of an answer before',
      tail: 'the last lines only',
      worker: 'rank of a worker',
      type: 'info or error',
      limit: 'how many: 1000, at most 10000',
    },
    answer: fields({
      id: text,
      entries: list(fields({ worker: count, type: text, message: text, time: timestamp })),
    }),
  },
  metrics: {
    summary: 'Metrics of a job with their newest and extreme points',
    query: { measurement: 'of this name', tags: 'with these tags', values: '1: all points' },
    answer: fields({ id: text, series: list(fields({ measurement: text, tags: anything, count })) }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;
