import type { Task } from '../../home/core/home.ts';
import { STAGE_ORDER, type Trial } from '../../home/core/run.ts';
import type { NightBook } from './night-book.ts';

/** How a task fared, from what is in the book. */
export function trialOf(task: Task, runId: string, book: NightBook): Trial {
  const results = STAGE_ORDER.flatMap((stage) => book.result(task, stage) ?? []);
  const failed = results.find((result) => !result.success);
  const skipReason = book.skipReason(task);
  const run = book.result(task, 'run');
  const state = failed
    ? 'failed'
    : skipReason !== undefined
      ? 'skipped'
      : task.state === 'inactive'
        ? 'inactive'
        : book.isAtWork(task)
          ? 'running'
          : run
            ? 'succeeded'
            : 'waiting';
  const first = results.find((result) => result.stage !== 'precheck');
  return {
    runId,
    task: task.name,
    kind: task.kind,
    ...(task.title !== undefined && { title: task.title }),
    state,
    ...(failed && { failedStage: failed.stage }),
    message: failed?.message ?? skipReason ?? '',
    ...(first && { startedAt: first.startedAt }),
    ...(results.length > 0 && { durationMs: results.reduce((sum, result) => sum + result.durationMs, 0) }),
    commits: book.commits(task.name),
  };
}
