import { compareText, type Member, type Table, tablesOf } from './catalog.ts';
import { reduceByTags, splitTime } from './condition.ts';
import type { Show } from './parse/ast.ts';
import type { SelectContext } from './plan.ts';
import { measurementTables, needDatabase } from './select.ts';
import type { Cell } from './vector.ts';

export interface ShownSeries {
  readonly name?: string;
  readonly columns: readonly string[];
  readonly values: readonly (readonly Cell[])[];
}

/** Answers SHOW from the names of columns alone. */
export function runShow(show: Show, context: SelectContext): readonly ShownSeries[] {
  const { reader } = context;
  if (show.what === 'databases') {
    const names = [...reader.databases()].sort(compareText);
    return [{ name: 'databases', columns: ['name'], values: names.map((name) => [name]) }];
  }
  const database = show.database ?? context.database;
  needDatabase(reader, database);
  if (show.what === 'policies') {
    const columns = ['name', 'duration', 'shardGroupDuration', 'replicaN', 'default'];
    return [{ columns, values: [['autogen', '0s', '168h0m0s', 1, true]] }];
  }
  const tables = chosenTables(show, { ...context, database });
  return listTables(show, tables).flatMap(({ values, ...rest }) => {
    const { limit, offset } = show.rows;
    const kept = values.slice(offset, limit === 0 ? undefined : offset + limit);
    return kept.length === 0 ? [] : [{ ...rest, values: kept }];
  });
}

/** Measurements with those of their series that the condition leaves. */
function chosenTables({ sources, where }: Show, context: SelectContext): readonly Table[] {
  const { rest } = splitTime(where, context.now);
  const all =
    sources.length === 0
      ? tablesOf(context.reader, context.database)
      : [...new Set(sources.flatMap((source) => measurementTables(source, context)))];
  if (rest === undefined) return all;
  return all
    .map((table) => ({
      ...table,
      members: table.members.filter(
        (member) =>
          reduceByTags(rest, {
            isField: (name) => table.fields.has(name),
            tag: (name) => member.tags.get(name) ?? '',
          }) !== false,
      ),
    }))
    .filter(({ members }) => members.length > 0);
}

function listTables({ what, withKey }: Show, tables: readonly Table[]): readonly ShownSeries[] {
  switch (what) {
    case 'measurements':
      return [
        { name: 'measurements', columns: ['name'], values: tables.map(({ name }) => [name]).sort(byText) },
      ];
    case 'series':
      return [
        {
          columns: ['key'],
          values: tables.flatMap(({ members }) => members.map(({ key }) => [key])).sort(byText),
        },
      ];
    case 'tag keys':
      return tables.map(({ name, members }) => ({
        name,
        columns: ['tagKey'],
        values: [...sortedTags(members).keys()].map((key) => [key]),
      }));
    case 'tag values':
      return tables.map(({ name, members }) => ({
        name,
        columns: ['key', 'value'],
        values: tagValues(members, withKey ?? (() => true)),
      }));
    default:
      return tables.map(({ name, fields }) => ({
        name,
        columns: ['fieldKey', 'fieldType'],
        values: [...fields].sort(([a], [b]) => compareText(a, b)),
      }));
  }
}

function byText([a]: readonly string[], [b]: readonly string[]): number {
  return compareText(a ?? '', b ?? '');
}

function tagValues(
  members: readonly Member[],
  isWanted: (key: string) => boolean,
): readonly (readonly string[])[] {
  return [...sortedTags(members)]
    .filter(([key]) => isWanted(key))
    .flatMap(([key, values]) => values.map((value) => [key, value]));
}

/** By measurement, as long as its series are the same: variables of dashboards query them with every view. */
const TAGS = new WeakMap<readonly Member[], ReadonlyMap<string, readonly string[]>>();

/** Keys and values of tags, both sorted. */
function sortedTags(members: readonly Member[]): ReadonlyMap<string, readonly string[]> {
  const cached = TAGS.get(members);
  if (cached) return cached;
  const found = new Map<string, Set<string>>();
  for (const { tags } of members) {
    for (const [key, value] of tags) {
      const values = found.get(key);
      if (values) values.add(value);
      else found.set(key, new Set([value]));
    }
  }
  const sorted = new Map(
    [...found]
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, values]) => [key, [...values].sort(compareText)] as const),
  );
  TAGS.set(members, sorted);
  return sorted;
}
