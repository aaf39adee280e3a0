import type { HomeMetrics } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { PointFollower } from '../../metrics/app/point-follower.ts';
import type { DatabaseSize } from '../../metrics/app/points-status.ts';
import type { PointStorage } from '../../metrics/core/points/point-storage.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { reportFailure } from '../../platform/cli/report-failure.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted, formatNumber, plainly } from '../../platform/core/text/numbers.ts';

export interface PointsStatus {
  readonly databases: readonly (DatabaseSize & { readonly database: string })[];
}

/** A server that does not answer within this time counts as unavailable. */
const ANSWER_MS = 3_000;

/** Also while a server writes them. Undefined where there are none, or where they cannot be read, which is reported. */
export async function readPointsStatus(
  home: string,
  store: HomeMetrics['store'],
  context: CliContext,
): Promise<PointsStatus | undefined> {
  try {
    const openStorage = await loadAdapter<OpenReading>('storages', store);
    const place = store === 'sqlite' ? homeLayout(home).points : '';
    const storage = await openStorage(place, { readOnly: true, env: context.env, answerMs: ANSWER_MS });
    try {
      return await countPoints(await PointFollower.open(storage));
    } finally {
      await storage.close();
    }
  } catch (error) {
    const isAbsent = error instanceof NightmarkError && error.code === 'POINTS_NO_SHELF';
    if (!isAbsent) reportFailure(error, 'The points of this home are not counted', context);
    return undefined;
  }
}

/** Each storage reads the options that it needs. */
type OpenReading = (
  place: string,
  options: { readonly readOnly: true; readonly env: CliContext['env']; readonly answerMs: number },
) => Promise<PointStorage>;

async function countPoints(follower: PointFollower): Promise<PointsStatus> {
  const databases = [];
  for (const database of follower.databases()) {
    databases.push({ database, ...(await follower.size(database)) });
  }
  return { databases };
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
