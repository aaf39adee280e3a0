import { concernsOneStage } from '../../experiment/app/read-status-file.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import type { Task } from '../../home/core/home.ts';
import { failure, type Status } from '../../home/core/status.ts';
import type { MatrixExperiment } from '../../home/core/sweep/matrix-plan.ts';
import { planPoints } from '../../home/core/sweep/plan-points.ts';
import { type PointSamples, poolSamples } from '../../matrix/core/planned-test.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Night } from './night.ts';
import { isDone } from './run-points.ts';

/** Reads one file of results; throws where there is none or it cannot be used. */
export type ReadSamples = (folder: string) => Promise<readonly SampleSet[]>;

/** Samples of all points that succeeded. A point without usable results loses its own ones only, and is named. */
export async function readPoints(
  night: Night,
  { task, matrix }: { readonly task: Task; readonly matrix: MatrixExperiment },
  read: ReadSamples,
): Promise<{ readonly samples: readonly SampleSet[]; readonly unread: readonly string[] }> {
  const points: PointSamples[] = [];
  const unread: string[] = [];
  for (const { test, folder } of planPoints(matrix)) {
    if (!isDone(night.book.point(task, folder))) continue;
    try {
      points.push({ test, samples: await read(joinPath(night.raw.dir, task.name, folder)) });
    } catch (error) {
      if (!concernsOneStage(error)) throw error;
      unread.push(`${folder}: ${messageOf(error)}`);
    }
  }
  if (points.length > 0) return { samples: poolSamples(points), unread };
  throw new NightmarkError(
    'RUN_NO_RESULTS',
    `No point of ${task.name} left usable results: ${unread[0] ?? ''}`,
  );
}

/** What succeeded is kept; that others did not succeed is a failure all the same. */
export function judgePoints(
  night: Night,
  { task, matrix }: { readonly task: Task; readonly matrix: MatrixExperiment },
  { status, unread }: { readonly status: Status; readonly unread: readonly string[] },
): Status {
  const points = planPoints(matrix);
  const failed = points.flatMap(({ folder }) => {
    const result = night.book.point(task, folder);
    return isDone(result) ? [] : [`${folder}: ${result?.message ?? 'not run'}`];
  });
  const bad = [...failed, ...unread];
  if (!status.success || bad.length === 0) return status;
  const shown = bad.slice(0, 5).join('; ');
  const more = bad.length > 5 ? `; and ${bad.length - 5} more` : '';
  return failure(`${bad.length} of ${points.length} points failed, the others are kept: ${shown}${more}`);
}
