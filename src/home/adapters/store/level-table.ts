import type { SqliteConnection } from '../../../platform/adapters/sqlite.ts';
import type { Store } from '../../core/store.ts';

/** Levels of series as the change detector found them when results came in. */
export function levelTable(connection: SqliteConnection): Pick<Store, 'saveLevels' | 'levels'> {
  return {
    async saveLevels(levels) {
      connection.atomically(() => {
        for (const series of new Set(levels.map((one) => one.series)))
          connection.run('DELETE FROM levels WHERE series = ?', [series]);
        for (const { series, fingerprint, document } of levels)
          connection.run('INSERT OR REPLACE INTO levels (series, fingerprint, document) VALUES (?, ?, ?)', [
            series,
            fingerprint,
            document,
          ]);
      });
    },

    levels: async (series, fingerprint) =>
      connection.all<readonly [document: string]>(
        'SELECT document FROM levels WHERE series = ? AND fingerprint = ?',
        [series, fingerprint],
      )[0]?.[0],
  };
}
