import { inferUnit } from '../../../formats/core/infer-unit.ts';
import { type Bindable, type SqliteConnection, toLimit } from '../../../platform/adapters/sqlite.ts';
import { seriesKey } from '../../core/changes/change.ts';
import type { Absence, FollowedChange } from '../../core/changes/change-ledger.ts';
import type { ChangeQuery, Store } from '../../core/store.ts';

type ChangeMethods = Pick<Store, 'saveChanges' | 'saveAbsences' | 'changes' | 'absences'>;

export function changeTables(connection: SqliteConnection): ChangeMethods {
  return {
    async saveChanges(changes) {
      connection.atomically(() => {
        for (const change of changes) save(connection, change);
      });
    },

    async saveAbsences(absences) {
      connection.atomically(() => {
        connection.run('DELETE FROM absences', []);
        for (const absence of absences) {
          connection.run('INSERT OR REPLACE INTO absences (series, at, document) VALUES (?, ?, ?)', [
            seriesKey(absence.series),
            absence.at,
            JSON.stringify(absence),
          ]);
        }
      });
    },

    async changes(query) {
      const { where, values } = toCondition(query);
      return connection
        .all<readonly [document: string]>(
          `SELECT document FROM changes ${where} ORDER BY at DESC, id LIMIT ?`,
          [...values, toLimit(query.limit)],
        )
        .map(([document]) => toChange(document));
    },

    absences: async () =>
      connection
        .all<readonly [document: string]>('SELECT document FROM absences ORDER BY at DESC, series')
        .map(([document]) => JSON.parse(document) as Absence),
  };
}

function save(connection: SqliteConnection, change: FollowedChange): void {
  const { id, series, at, state, direction, withdrawnAt } = change;
  connection.run(
    `INSERT OR REPLACE INTO changes (id, series, experiment, at, state, direction, withdrawn, document)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      id,
      seriesKey(series),
      series.kind === 'value' ? series.experiment : null,
      at,
      state,
      direction,
      withdrawnAt !== undefined,
      JSON.stringify(change),
    ],
  );
}

function toCondition({ id, experiment, series, isOpen }: ChangeQuery): { where: string; values: Bindable[] } {
  const conditions: [sql: string, ...values: Bindable[]][] = [];
  // A range, not LIKE: an id that somebody typed may hold its wildcards.
  if (id !== undefined) conditions.push(['id >= ? AND id < ?', id, `${id}\u{10ffff}`]);
  if (experiment !== undefined) conditions.push(['experiment = ?', experiment]);
  if (series !== undefined) conditions.push(['series = ?', series]);
  if (isOpen !== undefined) conditions.push([`${isOpen ? '' : 'NOT '}(${OPEN})`]);
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}

const OPEN = "state IN ('new', 'confirmed') AND withdrawn = 0";

/** JSON has no infinities: an end of an interval that is unknown was written as null. */
function toChange(document: string): FollowedChange {
  const change = JSON.parse(document) as FollowedChange;
  const { low, high, relative } = change.shift;
  const ends = (from: number | null, to: number | null) => ({ low: from ?? -Infinity, high: to ?? Infinity });
  const shift = {
    ...change.shift,
    ...ends(low, high),
    ...(relative && { relative: { ...relative, ...ends(relative.low, relative.high) } }),
  };
  // Written before units were read from the names in data files.
  const unit = change.unit || (change.series.kind === 'value' ? inferUnit(change.series.path) : '');
  return { ...change, unit, shift };
}
