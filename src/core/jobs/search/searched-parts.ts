import type { Job, JobMetric } from '../../model/job.ts';
import type { JsonObject, JsonValue } from '../../text/json.ts';
import { isField, type NamedJob } from './field-values.ts';

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

/** A job with these parts and nothing else has the same value for the name. */
export function fieldNeeds(name: string): readonly SearchedPart[] {
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

/** A job of which nothing is known but these parts; undefined: the job has none of it. */
export function jobOfParts(
  parts: readonly SearchedPart[],
  values: readonly (JsonValue | undefined)[],
): NamedJob {
  const groups = { config: {}, state: {}, annotations: {}, environment: {}, metrics: {} } as Groups;
  const fields: Record<string, JsonValue> = {};
  for (let at = 0; at < parts.length; at++) {
    const value = values[at];
    const { group, key } = parts[at] as SearchedPart;
    if (value === undefined) continue;
    if (group === 'column' || group === 'spec' || group === 'facts') {
      if (key === undefined) Object.assign(fields, value);
      else fields[key] = value;
    } else if (key === undefined) groups[group] = value as JsonObject;
    else groups[group][key] = value;
  }
  return {
    ...fields,
    ...groups,
    ...documentsOf(fields),
    metrics: metricsOf(groups.metrics),
  } as Partial<Job> as NamedJob;
}

type Groups = Record<'config' | ObjectGroup | 'metrics', Record<string, JsonValue>>;

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

/** Beyond so many dots a name is looked for in all of the group. */
const MOST_DOTS = 8;

/** Keys of an object at which the way of a name may begin: `a.b.c` is a key, or leads into `a` or `a.b`. */
function keysOf(name: string): readonly string[] {
  const words = name.split('.');
  // No plain key: so the whole group is read.
  if (words.length > MOST_DOTS) return [''];
  return words.map((_, at) => words.slice(0, at + 1).join('.'));
}

function isObjectGroup(text: string): text is ObjectGroup {
  return text === 'state' || text === 'annotations' || text === 'environment';
}

/** Those parts of a job that hold one of its fields inside. */
function documentsOf({ script, command, commit, branch }: Readonly<Record<string, JsonValue>>): object {
  return {
    program:
      script !== undefined
        ? { type: 'script', path: script }
        : command !== undefined
          ? { type: 'command', argv: [command] }
          : {},
    git: { commit, branch },
  };
}

function metricsOf(metrics: Readonly<Record<string, JsonValue>>): readonly JobMetric[] {
  return Object.entries(metrics).map(
    ([measurement, value]) => ({ measurement, fields: { value } }) as unknown as JobMetric,
  );
}
