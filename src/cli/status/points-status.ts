import openSqliteShelf from '../../adapters/shelves/sqlite/index.ts';
import type { DatabaseSize } from '../../app/points/database-size.ts';
import { PointFollower } from '../../app/points/point-follower.ts';
import { NightmarkError } from '../../core/errors.ts';
import { homeLayout } from '../../core/model/layout.ts';
import { counted, formatNumber, plainly } from '../../core/text/numbers.ts';
import type { CliContext } from '../context.ts';
import { tellFailure } from '../serve/tell-failure.ts';

/** Time series in the folder of the home; what lies in PostgreSQL is shown by the page. */
export interface PointsStatus {
  readonly databases: readonly (DatabaseSize & { readonly database: string })[];
}

/** Also while a server writes them. Undefined where there are none, or where they cannot be read, which is told. */
export async function readPointsStatus(home: string, context: CliContext): Promise<PointsStatus | undefined> {
  try {
    const follower = await PointFollower.open(
      await openSqliteShelf(homeLayout(home).points, { readOnly: true }),
    );
    try {
      const databases = [];
      for (const database of follower.databases()) {
        databases.push({ database, ...(await follower.size(database)) });
      }
      return { databases };
    } finally {
      await follower.close();
    }
  } catch (error) {
    const isAbsent = error instanceof NightmarkError && error.code === 'POINTS_NO_SHELF';
    if (!isAbsent) tellFailure(error, 'The points of this home are not counted', context);
    return undefined;
  }
}

/** "Points: 1 200 000 in 340 series, 4.1 MiB". */
export function pointsLine({ databases }: PointsStatus): string {
  const sum = (key: 'points' | 'waiting' | 'series' | 'bytes') =>
    databases.reduce((total, size) => total + size[key], 0);
  // All databases share one log.
  const logBytes = Math.max(0, ...databases.map((size) => size.logBytes));
  const points = formatNumber(sum('points') + sum('waiting'));
  const size = formatNumber(sum('bytes') + logBytes, 'B');
  const waiting = sum('waiting') === 0 ? '' : ` (${formatNumber(sum('waiting'))} not compressed yet)`;
  const series = counted(sum('series'), 'series', 'series');
  return plainly(`Points: ${points} in ${series}, ${size}${waiting}\n`);
}
