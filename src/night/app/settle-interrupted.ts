import type { Home } from '../../home/core/home.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import { packRaw } from './archive-raw.ts';
import type { NightEffects } from './effects.ts';
import { rawPlaces } from './raw-places.ts';
import type { InterruptedNight } from './read-interrupted.ts';

/** Closes a night that will not be resumed: its raw data is archived, its record says interrupted. */
export async function settleInterrupted(
  home: Home,
  { run, events }: InterruptedNight,
  effects: NightEffects,
): Promise<void> {
  const { disk, clock, report } = effects;
  report({
    type: 'warning',
    text: `The night ${run.id} was interrupted and is closed as it is; --resume would have completed it.`,
  });
  const raw = rawPlaces(home, run.label);
  const isArchived = events.some((event) => event.type === 'step' && event.step === 'archive');
  if ((await disk.stat(raw.dir)) !== undefined) {
    if (!isArchived) await packRaw(raw, effects);
    await disk.remove(raw.dir);
  }
  const ended: Run = { ...run, state: 'interrupted', endedAt: clock.now() };
  const journal = await disk.openJournal(runFiles(home.dir, run.id).journal);
  // A line that was cut off stays alone on its line.
  journal.append(`\n${JSON.stringify({ type: 'end', run: ended, trials: [] })}\n`);
  journal.flush();
  journal.close();
  await disk.remove(homeLayout(home.dir).current);
}
