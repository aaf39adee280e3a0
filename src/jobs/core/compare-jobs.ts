import { isSecretKey } from '../../platform/core/secrets.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { compareCodePoints, compareNaturally } from '../../platform/core/text/text-order.ts';
import { flatKeys } from './dotted-keys.ts';
import { type Job, type JobMetric, programText } from './job.ts';
import { HIDDEN_VALUE, jobDurationMs, shownStatus } from './shown-job.ts';

/** One row of a comparison: the value of each job, in the order of the jobs. */
export interface ComparedRow {
  readonly key: string;
  /** Undefined where a job has no such key, which counts as a difference. */
  readonly values: readonly (JsonValue | undefined)[];
  readonly isEqual: boolean;
  /** Of two numbers: their relative difference, (second - first) / |first|. */
  readonly change?: number;
}

export interface ComparedSection {
  readonly title: 'configuration' | 'code' | 'environment' | 'results';
  readonly rows: readonly ComparedRow[];
}

/** Configuration, code, environment and results of jobs, side by side. */
export function compareJobs(jobs: readonly Job[], now: number): readonly ComparedSection[] {
  const aspects = [
    { title: 'configuration', aspectOf: configAspect, isSorted: true },
    { title: 'code', aspectOf: codeAspect, isSorted: false },
    { title: 'environment', aspectOf: environmentAspect, isSorted: true },
    { title: 'results', aspectOf: (job: Job) => resultAspect(job, now), isSorted: false },
  ] as const;
  return aspects.map(({ title, aspectOf, isSorted }) => ({
    title,
    rows: compareAspects(jobs.map(aspectOf), isSorted),
  }));
}

function compareAspects(facts: readonly JsonObject[], isSorted: boolean): readonly ComparedRow[] {
  const flat = facts.map((one) => flatKeys(one));
  const keys = [...new Set(flat.flatMap((one) => [...one.keys()]))];
  if (isSorted) keys.sort(compareNaturally);
  return keys.map((key) =>
    compareValues(
      key,
      flat.map((one) => one.get(key)),
    ),
  );
}

function compareValues(key: string, values: readonly (JsonValue | undefined)[]): ComparedRow {
  const [first, ...others] = values.map((value) => (value === undefined ? undefined : canonicalJson(value)));
  const isEqual = others.every((other) => other === first);
  const change = isEqual ? undefined : relativeChange(values);
  const isSecret = isSecretKey(key.slice(key.lastIndexOf('.') + 1));
  const shown = isSecret ? values.map((value) => hidden(value)) : values;
  return { key, values: shown, isEqual, ...(change !== undefined && !isSecret && { change }) };
}

function hidden(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? HIDDEN_VALUE : value;
}

function relativeChange(values: readonly (JsonValue | undefined)[]): number | undefined {
  const [before, after] = values;
  if (values.length !== 2 || typeof before !== 'number' || typeof after !== 'number') return undefined;
  return before === 0 ? undefined : (after - before) / Math.abs(before);
}

/** Objects with the same entries are equal, whatever the order of their keys. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: JsonValue) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareCodePoints(a, b)));
  });
}

/** Without the path that the runner adds: it is below the job's own folder, so it differs for every job. */
function configAspect({ config }: Job): JsonObject {
  const { distributed_init_file: _path, ...rest } = config;
  return rest;
}

function codeAspect({ program, code, git }: Job): JsonObject {
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

function environmentAspect(job: Job): JsonObject {
  const { user, executor, workers, priority, retries, host, resources, place, env, environment } = job;
  return {
    ...environment,
    ...{ user, executor, workers, priority, retries },
    ...(host !== undefined && { host }),
    resources: { ...resources } as JsonObject,
    // Cluster options are plain data, as they came from a command line.
    place: JSON.parse(JSON.stringify(place)) as JsonObject,
    variables: env,
  };
}

function resultAspect(job: Job, now: number): JsonObject {
  const { attempt, exit, exception, reason } = job;
  const durationMs = jobDurationMs(job, now);
  return {
    status: shownStatus(job, now),
    attempt,
    ...(durationMs !== undefined && { 'duration [s]': durationMs / 1000 }),
    ...(exit?.type === 'code' && { 'exit code': exit.code }),
    ...(reason !== undefined && { reason }),
    ...(exception !== undefined && { exception }),
    ...Object.fromEntries(job.metrics.flatMap(metricAspect)),
  };
}

function metricAspect(metric: JobMetric): readonly (readonly [string, JsonValue])[] {
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

/** What `nightmark job diff` compares, as a document. */
export function comparedDocument(jobs: readonly Job[], now: number, isCut: boolean): ComparedDocument {
  return {
    jobs: jobs.map(({ id, name, experiment }) => ({ id, name, experiment })),
    isCut,
    sections: compareJobs(jobs, now).map(({ title, rows }) => ({ title, rows: rows.map(cellsOf) })),
  };
}

function cellsOf({ key, values, isEqual, change }: ComparedRow): ComparedCells {
  const missing = values.flatMap((value, place) => (value === undefined ? [place] : []));
  return {
    key,
    values: values.map((value) => value ?? null),
    ...(missing.length > 0 && { missing }),
    isEqual,
    ...(change !== undefined && { change }),
  };
}

/** A job as a column of a comparison, and as the origin of curves. */
export interface ComparedJob {
  readonly id: string;
  readonly name: string;
  readonly experiment: string;
}

export interface ComparedDocument {
  readonly jobs: readonly ComparedJob[];
  /** More were requested than are compared. */
  readonly isCut: boolean;
  readonly sections: readonly {
    readonly title: ComparedSection['title'];
    readonly rows: readonly ComparedCells[];
  }[];
}

/** `ComparedRow`, where JSON can say what is missing. */
export interface ComparedCells {
  readonly key: string;
  readonly values: readonly JsonValue[];
  /** Places of the jobs that have none; null stands there. */
  readonly missing?: readonly number[];
  readonly isEqual: boolean;
  readonly change?: number;
}
