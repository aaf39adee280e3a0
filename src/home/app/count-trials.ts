import type { TrialCounts } from '../../platform/core/text/describe-night.ts';
import type { Trial } from '../core/run.ts';

export function countTrials(trials: readonly Trial[], kind: Trial['kind']): TrialCounts {
  const counts = { succeeded: 0, failed: 0, skipped: 0, unfinished: 0, inactive: 0 };
  for (const trial of trials) {
    if (trial.kind !== kind) continue;
    const isUnfinished = trial.state === 'running' || trial.state === 'waiting';
    counts[isUnfinished ? 'unfinished' : (trial.state as 'succeeded')]++;
  }
  const { succeeded, failed, skipped, unfinished } = counts;
  return { total: succeeded + failed + skipped + unfinished, ...counts };
}
