import type { JsonObject } from '../../platform/core/text/json.ts';
import type { Job } from './job.ts';
import { shownVariables } from './shown-job.ts';

/** A job with the keys that the old monitor's documents had, for those who read them; times in ISO 8601. */
export function legacyDocument(job: Job): JsonObject {
  const { id, user, project, experiment, status, config, annotations, state, priority, images } = job;
  return {
    ...{ _id: id, user, project, experiment, job: job.name, status, priority },
    n_workers: job.workers,
    registered_workers: job.registered,
    environment: environmentOf(job),
    ...times(job),
    ...present({ host: job.host, output_dir: job.outputDir, exception: job.exception }),
    ...present({ traceback: job.traceback, exception_worker: job.exceptionWorker }),
    ...{ config, annotations, state, images },
    workers: Object.fromEntries(
      job.ranks.map(({ rank, host, pid, heartbeatAt }) => [
        rank,
        { host, pid, last_heartbeat_time: iso(heartbeatAt) },
      ]),
    ),
    timings: timingsOf(job),
    metrics: job.metrics.map(({ measurement, tags, id: metric }) => ({ measurement, ...tags, id: metric })),
  };
}

function environmentOf({ program, code, env }: Job): JsonObject {
  return {
    ...(code && { clone: code.type === 'path' ? { path: code.path } : { code_package: code.hash } }),
    ...(program.type === 'script' ? { script: program.path } : { command: program.argv }),
    ...(Object.keys(env).length > 0 && { variables: shownVariables(env) }),
  };
}

function times({ createdAt, scheduledAt, startedAt, endedAt, heartbeatAt }: Job): JsonObject {
  const all = {
    creation_time: createdAt,
    schedule_time: scheduledAt,
    start_time: startedAt,
    end_time: endedAt,
    last_heartbeat_time: heartbeatAt,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, at]) => (at === undefined ? [] : [[key, iso(at)]])),
  );
}

function timingsOf({ timings }: Job): JsonObject {
  const events = new Map<string, Map<number, JsonObject>>();
  for (const { event, rank, mean, std, instances } of timings) {
    const ranks = events.get(event) ?? new Map<number, JsonObject>();
    events.set(event, ranks.set(rank, { mean, std, instances }));
  }
  return Object.fromEntries([...events].map(([event, ranks]) => [event, Object.fromEntries(ranks)]));
}

function present(values: Readonly<Record<string, string | number | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}
