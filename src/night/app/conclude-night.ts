import { applyRetention } from '../../home/app/apply-retention.ts';
import type { Run, Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { JudgeReport } from '../../judge/app/changes/judge-home.ts';
import { backUp } from './archive-night.ts';
import type { Night } from './night.ts';
import { trialOf } from './night-recorder.ts';
import { endEverywhere } from './task-executor.ts';

export interface NightOutcome {
  readonly run: Run;
  readonly trials: readonly Trial[];
  /** Changes found in its values; absent where judging failed. */
  readonly changes?: JudgeReport;
}

/** Records the end of a night: how it ended for each task. */
export async function concludeNight(night: Night): Promise<NightOutcome> {
  const { recorder, effects } = night;
  const leftovers = await endEverywhere(night.run.id, night.home, effects);
  if (leftovers > 0) recorder.warn(`Ended ${leftovers} processes that scripts left behind.`);
  if (recorder.isDone('archive')) await effects.disk.remove(night.raw.dir);
  const endedAt = effects.clock.now();
  const run: Run = { ...night.run, state: 'finished', endedAt, warnings: recorder.warnings };
  const trials = [...night.experiments, ...night.subsystems].map((task) => trialOf(task, run.id, recorder));
  await end(night, { run, trials });
  return { run, trials };
}

async function end({ recorder, effects }: Night, { run, trials }: NightOutcome): Promise<void> {
  await recorder.record({ type: 'end', run, trials });
  await recorder.index(() => saveEnd(run, trials, effects.store));
}

/** What follows the end of a night: a backup that holds its whole record, retention, and removing what was left. */
export async function tidyUp(night: Night, concluded: NightOutcome): Promise<NightOutcome> {
  const { run, trials } = concluded;
  const { recorder, effects, home, layout } = night;
  if (home.backups.after) await backUp(night, 'after');
  for (const path of await applyRetention(home, effects))
    effects.report({ type: 'step', text: `Removed ${path}` });
  await effects.disk.remove(layout.trash);
  const outcome = { ...concluded, run: { ...run, warnings: recorder.warnings } };
  if (recorder.warnings.length > run.warnings.length) await end(night, outcome);
  await effects.disk.remove(layout.current);
  effects.report({ type: 'night-ended', run: outcome.run, trials });
  return outcome;
}

/** Saves the end of a night in the index. The run comes last, so that a finished run has all its trials. */
export async function saveEnd(run: Run, trials: readonly Trial[], store: Store): Promise<void> {
  await store.saveTrials(trials);
  await store.saveRun(run);
}
