import type { CurveTable } from '../core/curve-table.ts';
import type { CurveFile } from './find-curves.ts';

/** All curves of one task and algorithm that belong together. */
export interface GatheredCell {
  readonly task: string;
  readonly algorithm: string;
  readonly isBaseline: boolean;
  readonly members: readonly { readonly table: CurveTable; readonly file: CurveFile }[];
}

/**
 * Cells of tasks and algorithms. Of several editions of a cell the one written last counts, and of several curves of one
 * seed in it the newest: how many are left out is told.
 */
export function gatherCurves(files: readonly CurveFile[]): {
  readonly cells: readonly GatheredCell[];
  readonly older: number;
} {
  const groups = new Map<string, Map<string, { table: CurveTable; file: CurveFile }[]>>();
  for (const file of files) {
    for (const table of file.tables) {
      const key = JSON.stringify([table.task, table.algorithm]);
      const editions = groups.get(key) ?? new Map<string, { table: CurveTable; file: CurveFile }[]>();
      groups.set(key, editions);
      const edition = editions.get(table.edition) ?? [];
      editions.set(table.edition, edition);
      edition.push({ table, file });
    }
  }
  let older = 0;
  const cells: GatheredCell[] = [];
  for (const editions of groups.values()) {
    const all = [...editions.values()];
    const newest = all.reduce((best, one) => (timeOf(one) > timeOf(best) ? one : best));
    const members = newestOfSeeds(newest);
    older += all.reduce((sum, one) => sum + one.length, 0) - members.length;
    const [first] = members;
    if (!first) continue;
    const { task, algorithm } = first.table;
    cells.push({ task, algorithm, isBaseline: members.some(({ table }) => table.isBaseline), members });
  }
  return { cells, older };
}

type Member = GatheredCell['members'][number];

function timeOf(members: readonly Member[]): number {
  return members.reduce((newest, { file }) => Math.max(newest, file.at), 0);
}

function newestOfSeeds(members: readonly Member[]): readonly Member[] {
  const bySeed = new Map<string, Member>();
  for (const [place, member] of members.entries()) {
    // A curve without a seed is one of its own.
    const fields = [...member.table.columns.keys()].sort();
    const key =
      member.table.seed === undefined ? `#${place}` : JSON.stringify([member.table.seed, ...fields]);
    const known = bySeed.get(key);
    if (!known || known.file.at <= member.file.at) bySeed.set(key, member);
  }
  return [...bySeed.values()];
}
