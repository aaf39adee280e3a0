import { goJson } from '../../../platform/core/text/json.ts';
import { compareText, type Member, type Table } from './catalog.ts';
import { reduceByTags } from './condition.ts';
import type { Expression, Slice } from './parse/ast.ts';
import type { Plan } from './plan.ts';

/** Tags of a series of an answer, with their JSON, which is cached with the group. */
export interface GroupTags {
  readonly values: Readonly<Record<string, string>>;
  readonly json: string;
}

/** Members that share the tags of GROUP BY, with the rest of the condition about their fields. */
export interface Group {
  readonly name: string;
  readonly values: readonly string[];
  /** Absent without GROUP BY. */
  readonly tags?: GroupTags;
  readonly members: readonly { readonly member: Member; readonly rest?: Expression }[];
}

/** Groups of all series that the condition leaves, by name and tags. */
export function groupMembers(
  tables: readonly Table[],
  { dimensions }: Pick<Plan, 'dimensions'>,
  rest: Expression | undefined,
): readonly Group[] {
  const [only] = tables;
  if (only === undefined || tables.length > 1 || rest !== undefined)
    return makeGroups(tables, dimensions, rest);
  // Dashboards query the same groups again and again, and many series take long to sort.
  const cache = CACHE.get(only) ?? new Map<string, readonly Group[]>();
  CACHE.set(only, cache);
  const key = dimensions.join('\0');
  const groups = cache.get(key) ?? makeGroups(tables, dimensions, undefined);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, groups);
  return groups;
}

/** By measurement, as long as its series are the same. */
const CACHE = new WeakMap<Table, Map<string, readonly Group[]>>();
const MAX_CACHED = 4;

/** SLIMIT and SOFFSET, in each measurement by the order of InfluxDB's index: there a missing tag comes last. */
export function sliceGroups(groups: readonly Group[], { limit, offset }: Slice): readonly Group[] {
  if (limit === 0 && offset === 0) return groups;
  const keyOf = ({ values }: Group) => values.join('|');
  const kept = new Set<Group>();
  for (const name of new Set(groups.map((group) => group.name))) {
    const own = groups.filter((group) => group.name === name).sort((a, b) => compareText(keyOf(a), keyOf(b)));
    for (const group of own.slice(offset, limit === 0 ? undefined : offset + limit)) kept.add(group);
  }
  return groups.filter((group) => kept.has(group));
}

function makeGroups(
  tables: readonly Table[],
  dimensions: readonly string[],
  rest: Expression | undefined,
): readonly Group[] {
  const groups = new Map<string, Group & { readonly members: Group['members'][number][] }>();
  for (const table of tables) {
    for (const member of table.members) {
      const left =
        rest === undefined
          ? true
          : reduceByTags(rest, {
              isField: (name) => table.fields.has(name),
              tag: (name) => member.tags.get(name) ?? '',
            });
      if (left === false) continue;
      const values = dimensions.map((key) => member.tags.get(key) ?? '');
      const key = `${member.name}\0${values.join('\0')}`;
      const group = groups.get(key) ?? {
        name: member.name,
        values,
        ...tagsOf(dimensions, values),
        members: [],
      };
      groups.set(key, group);
      group.members.push(left === true ? { member } : { member, rest: left });
    }
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}

function tagsOf(dimensions: readonly string[], values: readonly string[]): Pick<Group, 'tags'> {
  if (dimensions.length === 0) return {};
  const tags = Object.fromEntries(dimensions.map((key, i) => [key, values[i] ?? '']));
  return { tags: { values: tags, json: goJson(tags) } };
}
