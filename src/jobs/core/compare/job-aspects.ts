import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Job, JobMetric } from '../job.ts';
import { programText } from '../program-text.ts';
import { jobDurationMs } from '../shown-job.ts';
import { shownStatus } from '../shown-status.ts';

/** What it was told. The runner adds a path below the job's own folder, which says nothing about the job. */
export function configFacts({ config }: Job): JsonObject {
  const { distributed_init_file: _path, ...rest } = config;
  return rest;
}

/** What ran. */
export function codeFacts({ program, code, git }: Job): JsonObject {
  return {
    program: programText(program),
    ...(code?.type === 'package' && { package: code.hash }),
    ...(code?.type === 'path' && { path: code.path }),
    ...(git && {
      commit: git.commit,
      ...(git.branch !== undefined && { branch: git.branch }),
      ...(git.remote !== undefined && { remote: git.remote }),
      message: git.message,
      dirty: git.isDirty,
    }),
  };
}

/** Where, with what and for whom. */
export function environmentFacts(job: Job): JsonObject {
  const { user, executor, workers, priority, retries, host, resources, place, env, environment } = job;
  return {
    ...environment,
    ...{ user, executor, workers, priority, retries },
    ...(host !== undefined && { host }),
    resources: { ...resources } as JsonObject,
    // What a cluster was told is plain data, as it came from a command line.
    place: JSON.parse(JSON.stringify(place)) as JsonObject,
    variables: env,
  };
}

/** What came of it. */
export function resultFacts(job: Job, now: number): JsonObject {
  const { attempt, exit, exception, reason } = job;
  const durationMs = jobDurationMs(job, now);
  return {
    status: shownStatus(job, now),
    attempt,
    ...(durationMs !== undefined && { 'duration [s]': durationMs / 1000 }),
    ...(exit?.type === 'code' && { 'exit code': exit.code }),
    ...(reason !== undefined && { reason }),
    ...(exception !== undefined && { exception }),
    ...Object.fromEntries(job.metrics.flatMap(metricFacts)),
  };
}

function metricFacts(metric: JobMetric): readonly (readonly [string, JsonValue])[] {
  const name = metricName(metric);
  return Object.entries(metric.fields).flatMap(([field, { last, min, max }]) => {
    const label = field === 'value' ? name : `${name} ${field}`;
    const all: readonly (readonly [string, JsonValue | undefined])[] = [
      [`${label} last`, last],
      [`${label} min`, min],
      [`${label} max`, max],
    ];
    return all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  });
}

/** `loss {split=train}`. */
export function metricName({ measurement, tags }: Pick<JobMetric, 'measurement' | 'tags'>): string {
  const pairs = Object.entries(tags)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .sort();
  return pairs.length === 0 ? measurement : `${measurement} {${pairs.join(',')}}`;
}
