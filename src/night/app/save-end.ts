import type { Run, Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';

/** Brings the end of a night into the index; the run comes last, so that a finished run has all its trials. */
export async function saveEnd(run: Run, trials: readonly Trial[], store: Store): Promise<void> {
  await store.saveTrials(trials);
  await store.saveRun(run);
}
