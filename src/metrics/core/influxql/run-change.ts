import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PointAdmin } from '../points/point-reader.ts';
import { type Member, type Table, tablesOf } from './catalog.ts';
import { ALL_TIME, reduceByTags, splitTime, toRange } from './condition.ts';
import type { Statement } from './parse/ast.ts';
import { queryError } from './parse/lexer.ts';
import type { SelectContext } from './plan.ts';
import { measurementTables, needDatabase } from './select.ts';

export type Change = Exclude<Statement, { readonly kind: 'select' | 'show' }>;

/** Executes a statement that changes something. */
export async function runChange(
  change: Change,
  context: SelectContext,
  admin: PointAdmin | undefined,
): Promise<void> {
  if (change.kind === 'accepted') return;
  if (admin === undefined) {
    throw new NightmarkError('QUERY_READ_ONLY', 'this server only reads: nothing is created or deleted', {
      hint: 'Use the server that writes.',
    });
  }
  switch (change.kind) {
    case 'create database':
      if (!isName(change.name)) throw queryError('invalid name');
      if (!context.reader.databases().includes(change.name)) await admin.createDatabase(change.name);
      return;
    case 'drop database':
      if (context.reader.databases().includes(change.name)) await admin.dropDatabase(change.name);
      return;
    case 'drop measurement': {
      needDatabase(context.reader, context.database);
      const tables = tablesOf(context.reader, context.database).filter(({ name }) => name === change.name);
      return admin.deletePoints(columnsOf(tables.flatMap(({ members }) => members)), {});
    }
    default:
      return deleteSeries(change, context, admin);
  }
}

/** InfluxDB makes folders of names: no path separators, and no invisible characters. */
function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.length > 255) return false;
  return !/[/\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(name);
}

async function deleteSeries(
  change: Change & { readonly kind: 'delete' | 'drop series' },
  context: SelectContext,
  admin: PointAdmin,
): Promise<void> {
  needDatabase(context.reader, context.database);
  const { span, rest } = splitTime(change.where, context.now);
  if (change.kind === 'drop series' && (span.min !== ALL_TIME.min || span.max !== ALL_TIME.max)) {
    throw queryError("DROP SERIES doesn't support time in WHERE clause", 'DELETE takes a time.');
  }
  const tables =
    change.sources.length === 0
      ? tablesOf(context.reader, context.database)
      : change.sources.flatMap((source) => measurementTables(source, context));
  const chosen = tables.flatMap((table) => table.members.filter((member) => isChosen(member, table)));
  if (chosen.length > 0) await admin.deletePoints(columnsOf(chosen), toRange(span));

  function isChosen(member: Member, table: Table): boolean {
    if (rest === undefined) return true;
    const left = reduceByTags(rest, {
      isField: (name) => table.fields.has(name),
      tag: (name) => member.tags.get(name) ?? '',
    });
    if (typeof left !== 'boolean') throw queryError('fields not supported in WHERE clause during deletion');
    return left;
  }
}

function columnsOf(members: readonly Member[]): readonly number[] {
  return members
    .flatMap((member) => [...member.fields.keys()].map((field) => member.column(field)))
    .filter((column) => column !== undefined);
}
