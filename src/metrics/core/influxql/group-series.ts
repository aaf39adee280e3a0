import { quote } from '../../../platform/core/text/go-json.ts';
import { compareText, type Member, type Table } from './catalog.ts';
import { reduceByTags } from './condition.ts';
import type { Expression, Slice } from './parse/ast.ts';
import type { Plan } from './plan.ts';

/** Tags that a series of an answer shows; groups are kept, so that their text is made once. */
export interface GroupTags {
  readonly values: Readonly<Record<string, string>>;
  readonly json: string;
}

/** Members that share the tags of GROUP BY, with what is left to ask about their fields. */
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
  // Dashboards ask for the groups of one measurement again and again, and those of many series take long to sort.
  const known = KNOWN.get(only) ?? new Map<string, readonly Group[]>();
  KNOWN.set(only, known);
  const key = dimensions.join('\0');
  const groups = known.get(key) ?? makeGroups(tables, dimensions, undefined);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, groups);
  return groups;
}

/** Of a measurement, as long as its series are the same. */
const KNOWN = new WeakMap<Table, Map<string, readonly Group[]>>();
const MOST_KNOWN = 4;

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
  return { tags: { values: tags, json: quote(tags) } };
}
