import type { SqliteConnection } from '../../../platform/adapters/sqlite.ts';
import type { DirectionRule } from '../../core/changes/directions.ts';
import type { Store } from '../../core/store.ts';

type DirectionRow = readonly [experiment: string | null, pattern: string, better: DirectionRule['better']];

/** The directions that the definition declares, beside the series that they are of. */
export function directionTable(connection: SqliteConnection): Pick<Store, 'saveDirections' | 'directions'> {
  return {
    async saveDirections(rules) {
      // Nearly always they are the same, and a home that is only read stays as it is.
      if (JSON.stringify(readDirections(connection)) === JSON.stringify(rules)) return;
      connection.atomically(() => {
        connection.run('DELETE FROM directions', []);
        for (const [position, { experiment, pattern, better }] of rules.entries())
          connection.run(
            'INSERT INTO directions (position, experiment, pattern, better) VALUES (?, ?, ?, ?)',
            [position, experiment ?? null, pattern, better],
          );
      });
    },

    directions: async () => readDirections(connection),
  };
}

export function readDirections(connection: SqliteConnection): readonly DirectionRule[] {
  return connection
    .all<DirectionRow>('SELECT experiment, pattern, better FROM directions ORDER BY position', [])
    .map(([experiment, pattern, better]) => ({
      pattern,
      ...(experiment !== null && { experiment }),
      better,
    }));
}
