import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { setPath } from './dotted-keys.ts';
import type { Job } from './job.ts';
import type { JobReport } from './job-queue.ts';

/** The part of a job that workers and people write, stored as one document. */
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

/** Merges a report: objects by key, timings by event and rank, metrics by id. */
export function mergeReport(facts: JobFacts, report: JobReport): JobFacts {
  return {
    ...facts,
    ...(report.info && { state: mergeInfo(facts.state, report.info) }),
    ...(report.images && { images: { ...facts.images, ...report.images } }),
    ...(report.environment && { environment: { ...facts.environment, ...report.environment } }),
    ...(report.timings && {
      timings: byKey([...facts.timings, ...report.timings], ({ event, rank }) => `${rank} ${event}`),
    }),
    ...(report.metrics && { metrics: byKey([...facts.metrics, ...report.metrics], ({ id }) => id) }),
  };
}

/** For a new attempt: without the end of the previous one. */
export function withoutEnd(facts: JobFacts): JobFacts {
  const { endedAt, exit, reason, exception, traceback, exceptionWorker, ...others } = facts;
  return others;
}

/** Older scripts report "state.progress"; everything goes to the state here. */
function mergeInfo(state: JsonObject, info: JsonObject): JsonObject {
  let merged = state;
  for (const [key, value] of Object.entries(info)) {
    if (key === 'state' && isJsonObject(value)) merged = { ...merged, ...value };
    else merged = setPath(merged, key.replace(/^state\./, '').split('.'), value);
  }
  return merged;
}

/** The last of each key, in the order in which the keys came first. */
function byKey<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
