import type { TrialCounts } from '../../platform/core/text/describe-night.ts';
import type { Run, Trial } from '../core/run.ts';
import type { TrialDigest } from '../core/store.ts';

/** Counts by run and kind: as `countTrials`, from a digest. */
export function countDigest(
  digest: Pick<TrialDigest, 'counts'>,
): (runId: string, kind: Trial['kind']) => TrialCounts {
  const found = new Map<string, Record<keyof TrialCounts, number>>();
  for (const { runId, kind, state, count } of digest.counts) {
    const key = `${kind} ${runId}`;
    const counts = found.get(key) ?? { ...NONE };
    const isUnfinished = state === 'running' || state === 'waiting';
    counts[isUnfinished ? 'unfinished' : state] += count;
    if (state !== 'inactive') counts.total += count;
    found.set(key, counts);
  }
  return (runId, kind) => found.get(`${kind} ${runId}`) ?? NONE;
}

const NONE = { total: 0, succeeded: 0, failed: 0, skipped: 0, unfinished: 0, inactive: 0 };

export interface NightView {
  readonly run: Run;
  readonly experiments: TrialCounts;
  readonly subsystems: TrialCounts;
}
