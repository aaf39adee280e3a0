import type { JournalEvent } from '../../core/journal.ts';
import type { Run, StageResult, Trial } from '../../core/run.ts';

/** The trials of a run that did not come to its end, as far as its journal tells. */
export function trialsSoFar(run: Run, events: readonly JournalEvent[]): readonly Trial[] {
  const trials = new Map<string, Trial>();
  const update = (kind: Trial['kind'], task: string, change: (known: Trial) => Trial) => {
    const key = `${kind} ${task}`;
    trials.set(key, change(trials.get(key) ?? waiting(run.id, kind, task)));
  };
  for (const task of run.order) update('experiment', task, (known) => known);
  for (const event of events) {
    if (event.type === 'stage') {
      update(event.result.kind, event.result.task, (known) => afterStage(known, event.result));
    } else if (event.type === 'skip') {
      update(event.kind, event.task, (known) => ({ ...known, state: 'skipped', message: event.reason }));
    } else if (event.type === 'commits') {
      update('experiment', event.task, (known) => ({ ...known, commits: event.commits }));
    }
  }
  return [...trials.values()];
}

function waiting(runId: string, kind: Trial['kind'], task: string): Trial {
  return { runId, task, kind, state: 'waiting', message: '', commits: {} };
}

function afterStage(
  known: Trial,
  { stage, kind, success, message, startedAt, durationMs }: StageResult,
): Trial {
  if (stage === 'precheck') {
    if (!success) return { ...known, state: 'failed', failedStage: stage, message };
    return message === 'Inactive' ? { ...known, state: 'inactive', message } : known;
  }
  const times = {
    startedAt: known.startedAt ?? startedAt,
    durationMs: (known.durationMs ?? 0) + durationMs,
  };
  // The first failure is the one that is told, also when visualize failed and summarize went on.
  if (known.state === 'failed') return { ...known, ...times };
  if (!success) return { ...known, ...times, state: 'failed', failedStage: stage, message };
  const isLast = kind === 'subsystem' ? stage === 'run' : stage === 'summarize';
  return { ...known, ...times, state: isLast ? 'succeeded' : 'running' };
}
