import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { JobMetric } from '../job.ts';
import { isField, type NamedJob } from './job-fields.ts';

/**
 * A part of a job that decides the value of a name: one key of a group, or the whole group. `column` are fields that stand
 * alone, `spec` and `facts` hold what `searchable` takes out of the documents.
 */
export interface SearchedPart {
  readonly group: SearchedGroup;
  readonly key?: string;
}

type SearchedGroup = 'column' | 'config' | 'spec' | 'facts' | ObjectGroup | 'metrics';
type ObjectGroup = 'state' | 'annotations' | 'environment';

/** The parts of a job that determine the value of a name. */
export function partsOfName(name: string): readonly SearchedPart[] {
  const needs: SearchedPart[] = keysOf(name).map((key) => ({ group: 'config', key }));
  if (!isField(name)) return needs;
  if (Object.hasOwn(FIELD_PARTS, name)) return [...needs, ...(FIELD_PARTS[name] ?? [])];
  const dot = name.indexOf('.');
  const [group, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  if (dot < 0) return needs;
  if (group === 'config') return [...needs, ...keysOf(rest).map((key) => ({ group, key }) as const)];
  if (group === 'metric') {
    const shorter = rest.replace(/\.(?:min|max|last)$/, '');
    return [...needs, ...[...new Set([rest, shorter])].map((key) => ({ group: 'metrics', key }) as const)];
  }
  if (!isObjectGroup(group)) return [...needs, { group: 'column', key: name }];
  return [...needs, ...keysOf(rest).map((key) => ({ group, key }))];
}

/**
 * A job of which nothing is known but these parts; undefined: the job has none of it. Made for each job that is searched, so
 * it is put together in place.
 */
export function jobOfParts(
  parts: readonly SearchedPart[],
  valueAt: (part: number) => JsonValue | undefined,
): NamedJob {
  const job: MutableJob = {
    config: NONE,
    state: NONE,
    annotations: NONE,
    environment: NONE,
    metrics: NO_METRICS,
    program: NONE,
  };
  for (let at = 0; at < parts.length; at++) {
    const value = valueAt(at);
    if (value === undefined) continue;
    const { group, key } = parts[at] as SearchedPart;
    if (group === 'metrics')
      job.metrics = key === undefined ? metricsOf(value) : [...job.metrics, metricOf(key, value)];
    else if (group === 'column' || group === 'spec' || group === 'facts') {
      if (key === undefined)
        for (const [name, each] of Object.entries(value as JsonObject)) setField(job, name, each);
      else setField(job, key, value);
    } else if (key === undefined) job[group] = value as JsonObject;
    else if (job[group] === NONE) job[group] = { [key]: value };
    else job[group][key] = value;
  }
  return job as unknown as NamedJob;
}

type MutableJob = Record<'config' | ObjectGroup, Record<string, JsonValue>> & {
  metrics: readonly JobMetric[];
  program: object;
  git?: object;
  [field: string]: unknown;
};

const NONE: Record<string, JsonValue> = Object.freeze({});
const NO_METRICS: readonly JobMetric[] = [];

/** Some fields are nested in the job. */
function setField(job: MutableJob, name: string, value: JsonValue): void {
  if (name === 'script') job.program = { type: 'script', path: value };
  else if (name === 'command') job.program = { type: 'command', argv: [value] };
  else if (name === 'commit' || name === 'branch') job.git = { ...job.git, [name]: value };
  else if (!GROUPS.has(name)) job[name] = value;
}

/** Keys of the facts that are groups of their own. */
const GROUPS = new Set(['config', 'state', 'annotations', 'environment', 'metrics']);

const column = (key: string): SearchedPart => ({ group: 'column', key });
const spec = (key: string): SearchedPart => ({ group: 'spec', key });
const facts = (key: string): SearchedPart => ({ group: 'facts', key });

const FIELD_PARTS: Readonly<Record<string, readonly SearchedPart[]>> = {
  ...Object.fromEntries(
    [
      'id',
      'user',
      'project',
      'experiment',
      'name',
      'status',
      'executor',
      'priority',
      'workers',
      'attempt',
      'lost',
    ].map((name) => [name, [column(name)]]),
  ),
  job: [column('name')],
  ...Object.fromEntries(
    ['sweep', 'script', 'command', 'commit', 'branch'].map((name) => [name, [spec(name)]]),
  ),
  ...Object.fromEntries(['host', 'reason', 'exception'].map((name) => [name, [facts(name)]])),
  progress: [{ group: 'state', key: 'progress' }],
  starred: [{ group: 'annotations', key: 'star' }],
  bug: [{ group: 'annotations', key: 'bug' }],
  created: [spec('createdAt')],
  started: [facts('startedAt')],
  ended: [facts('endedAt')],
  duration: [facts('startedAt'), facts('endedAt'), column('heartbeatAt')],
  waited: [spec('createdAt'), facts('startedAt')],
};

/** A name with more dots needs the whole group. */
const MAX_DOTS = 8;

/** Keys of an object at which the way of a name may begin: `a.b.c` is a key, or leads into `a` or `a.b`. */
function keysOf(name: string): readonly string[] {
  const words = name.split('.');
  // Not a plain key, so the whole group is read.
  if (words.length > MAX_DOTS) return [''];
  return words.map((_, at) => words.slice(0, at + 1).join('.'));
}

function isObjectGroup(text: string): text is ObjectGroup {
  return text === 'state' || text === 'annotations' || text === 'environment';
}

function metricsOf(metrics: JsonValue): readonly JobMetric[] {
  return Object.entries(metrics as JsonObject).map(([measurement, value]) => metricOf(measurement, value));
}

function metricOf(measurement: string, value: JsonValue): JobMetric {
  return { measurement, fields: { value } } as unknown as JobMetric;
}
