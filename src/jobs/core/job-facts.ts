import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { setPath } from './dotted-keys.ts';
import type { Job } from './job.ts';
import type { JobReport } from './job-queue.ts';

/** What became of a job beyond its state in the queue; stored as one document. */
export type JobFacts = Pick<
  Job,
  | 'scheduledAt'
  | 'startedAt'
  | 'endedAt'
  | 'host'
  | 'outputDir'
  | 'exit'
  | 'reason'
  | 'exception'
  | 'traceback'
  | 'exceptionWorker'
  | 'state'
  | 'annotations'
  | 'images'
  | 'timings'
  | 'metrics'
  | 'environment'
>;

export const NO_FACTS: JobFacts = {
  state: {},
  annotations: {},
  images: {},
  timings: [],
  metrics: [],
  environment: {},
};

/** News laid over what was known: objects by key, timings by event and rank, metrics by id. */
export function mergeReport(facts: JobFacts, news: JobReport): JobFacts {
  return {
    ...facts,
    ...(news.info && { state: mergeInfo(facts.state, news.info) }),
    ...(news.images && { images: { ...facts.images, ...news.images } }),
    ...(news.environment && { environment: { ...facts.environment, ...news.environment } }),
    ...(news.timings && {
      timings: byKey([...facts.timings, ...news.timings], ({ event, rank }) => `${rank} ${event}`),
    }),
    ...(news.metrics && { metrics: byKey([...facts.metrics, ...news.metrics], ({ id }) => id) }),
  };
}

/** An attempt begins: what the one before ended with is no longer true. */
export function withoutEnd(facts: JobFacts): JobFacts {
  const { endedAt, exit, reason, exception, traceback, exceptionWorker, ...others } = facts;
  return others;
}

/** Scripts of old say "state.progress"; all that they say goes to the state here. */
function mergeInfo(state: JsonObject, info: JsonObject): JsonObject {
  let laid = state;
  for (const [key, value] of Object.entries(info)) {
    if (key === 'state' && isJsonObject(value)) laid = { ...laid, ...value };
    else laid = setPath(laid, key.replace(/^state\./, '').split('.'), value);
  }
  return laid;
}

/** The last of each key, in the order in which the keys came first. */
function byKey<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
