import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Job, JobMetricField } from '../job.ts';

/** The part of a job that a search by name may read. */
export type NamedJob = Omit<Job, 'traceback'>;

/** The value of a name: a key of the configuration, else a field of the job; undefined when there is none. */
export function fieldValue(job: NamedJob, name: string): JsonValue | undefined {
  const configured = lookUp(job.config, name);
  if (configured !== undefined) return configured;
  if (Object.hasOwn(FIELDS, name)) return FIELDS[name]?.(job);
  const dot = name.indexOf('.');
  const group = name.slice(0, dot);
  if (dot < 0 || !Object.hasOwn(GROUPS, group)) return undefined;
  return GROUPS[group]?.(job, name.slice(dot + 1));
}

/** Whether the name may also be a field, not only a key of the configuration. */
export function isField(name: string): boolean {
  return Object.hasOwn(FIELDS, name) || Object.hasOwn(GROUPS, name.split('.', 1)[0] ?? '');
}

/** A literal key, or a path through objects and lists: keys with dots come before paths. */
function lookUp(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return lookInList(value, name);
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const key = name.slice(0, dot);
    const inside = Object.hasOwn(value, key) ? lookUp(value[key] ?? null, name.slice(dot + 1)) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function lookInList(list: readonly JsonValue[], name: string): JsonValue | undefined {
  const [index = ''] = name.split('.', 1);
  const item = /^\d+$/.test(index) ? list[Number(index)] : undefined;
  if (item === undefined || index.length === name.length) return item;
  return lookUp(item, name.slice(index.length + 1));
}

/** The summary that a search uses for metrics of one name. */
export function metricSummary(
  { metrics }: Pick<Job, 'metrics'>,
  measurement: string,
): JobMetricField | undefined {
  const fields = metrics.findLast((metric) => metric.measurement === measurement)?.fields;
  if (fields === undefined) return undefined;
  return Object.hasOwn(fields, 'value') ? fields['value'] : Object.values(fields)[0];
}

type Field = (job: NamedJob) => JsonValue | undefined;

const FIELDS: Readonly<Record<string, Field>> = {
  id: ({ id }) => id,
  user: ({ user }) => user,
  project: ({ project }) => project,
  experiment: ({ experiment }) => experiment,
  name: ({ name }) => name,
  job: ({ name }) => name,
  status: ({ status }) => status,
  priority: ({ priority }) => priority,
  workers: ({ workers }) => workers,
  attempt: ({ attempt }) => attempt,
  lost: ({ lost }) => lost,
  executor: ({ executor }) => executor,
  sweep: ({ sweep }) => sweep,
  host: ({ host }) => host,
  reason: ({ reason }) => reason,
  exception: ({ exception }) => exception,
  script: ({ program }) => (program.type === 'script' ? program.path : undefined),
  command: ({ program }) => (program.type === 'command' ? program.argv.join(' ') : undefined),
  commit: ({ git }) => git?.commit,
  branch: ({ git }) => git?.branch,
  progress: ({ state }) => (Object.hasOwn(state, 'progress') ? state['progress'] : undefined),
  starred: ({ annotations }) => isMarked(annotations, 'star'),
  bug: ({ annotations }) => isMarked(annotations, 'bug'),
  created: ({ createdAt }) => createdAt / 1000,
  started: ({ startedAt }) => seconds(0, startedAt),
  ended: ({ endedAt }) => seconds(0, endedAt),
  duration: (job) => seconds(job.startedAt, job.endedAt ?? job.heartbeatAt),
  waited: (job) => seconds(job.createdAt, job.startedAt),
};

const GROUPS: Readonly<Record<string, (job: NamedJob, rest: string) => JsonValue | undefined>> = {
  config: ({ config }, rest) => lookUp(config, rest),
  annotations: ({ annotations }, rest) => lookUp(annotations, rest),
  state: ({ state }, rest) => lookUp(state, rest),
  environment: ({ environment }, rest) => lookUp(environment, rest),
  metric: metricValue,
};

function isMarked(annotations: NamedJob['annotations'], key: string): boolean {
  return Object.hasOwn(annotations, key) && annotations[key] === true;
}

function seconds(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : (to - from) / 1000;
}

/** `metric.loss`: the newest value of the last metric of that name; `.min`, `.max` and `.last` may follow. */
function metricValue(job: NamedJob, rest: string): JsonValue | undefined {
  const whole = metricSummary(job, rest);
  if (whole !== undefined) return whole.last;
  const [, measurement = '', part = ''] = /^(.*)\.(min|max|last)$/s.exec(rest) ?? [];
  return metricSummary(job, measurement)?.[part as 'min' | 'max' | 'last'];
}
