import type { SqliteConnection } from '../../../platform/adapters/sqlite.ts';
import type { Store } from '../../core/store.ts';

/** What was judged of each series when results came in. */
export function judgementTable(connection: SqliteConnection): Pick<Store, 'saveJudgements' | 'judgement'> {
  return {
    async saveJudgements(judgements) {
      connection.atomically(() => {
        for (const { series, document } of judgements)
          connection.run('INSERT OR REPLACE INTO judgements (series, document, outdated) VALUES (?, ?, 0)', [
            series,
            document,
          ]);
      });
    },

    async judgement(series) {
      const [row] = connection.all<readonly [document: string, outdated: number]>(
        'SELECT document, outdated FROM judgements WHERE series = ?',
        [series],
      );
      return row && { document: row[0], isOutdated: row[1] !== 0 };
    },
  };
}

/** New values of a series: what was judged of it does not know them. */
export function outdateJudgement(connection: SqliteConnection, series: string): void {
  connection.run('UPDATE judgements SET outdated = 1 WHERE series = ? AND outdated = 0', [series]);
}
