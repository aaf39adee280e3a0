import type { BriefRun, Trial } from '../../../home/core/run.ts';
import { inNaturalOrder } from '../../../platform/core/text/text-order.ts';
import type { SideFailure } from './compare-view.ts';

const MESSAGE_LENGTH = 300;

/** Experiments that failed in every run that had them. */
export function alwaysFailed(trials: readonly Trial[]): ReadonlySet<string> {
  const [failed, others] = [new Set<string>(), new Set<string>()];
  for (const { task, kind, state } of trials) {
    if (kind !== 'experiment' || state === 'inactive' || state === 'skipped') continue;
    (state === 'failed' ? failed : others).add(task);
  }
  return new Set([...failed].filter((task) => !others.has(task)));
}

/** What failed on one side, by name; runs are newest first. */
export function sideFailures(
  side: SideFailure['side'],
  runs: readonly BriefRun[],
  trials: readonly Trial[],
): readonly SideFailure[] {
  const order = new Map(runs.map(({ id }, place) => [id, place]));
  const byTask = new Map<string, Trial[]>();
  for (const trial of trials) {
    if (trial.kind === 'experiment') byTask.set(trial.task, [...(byTask.get(trial.task) ?? []), trial]);
  }
  const failures = [...byTask].flatMap(([experiment, own]): readonly SideFailure[] => {
    const bad = own.filter(({ state }) => state === 'failed');
    bad.sort((a, b) => (order.get(a.runId) ?? 0) - (order.get(b.runId) ?? 0));
    const [newest] = bad;
    if (newest === undefined) return [];
    const { runId, failedStage, message } = newest;
    const facts = { side, experiment, runId, failed: bad.length, of: own.length };
    return [
      {
        ...facts,
        message: message.slice(0, MESSAGE_LENGTH),
        ...(failedStage !== undefined && { failedStage }),
      },
    ];
  });
  return inNaturalOrder(failures, ({ experiment }) => experiment);
}
