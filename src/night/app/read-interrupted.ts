import type { Home } from '../../home/core/home.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import { type JournalEvent, parseJournal, type RunOptions, trustedEvents } from '../../home/core/journal.ts';
import type { Run } from '../../home/core/run.ts';
import type { NightEffects } from './effects.ts';
import { saveEnd } from './save-end.ts';

export interface InterruptedNight {
  readonly run: Run;
  readonly options: RunOptions;
  readonly events: readonly JournalEvent[];
}

/** The night that did not come to its end, where there is one. */
export async function readInterrupted(
  home: Home,
  effects: NightEffects,
): Promise<InterruptedNight | undefined> {
  const { disk, store } = effects;
  const id = (await disk.readText(homeLayout(home.dir).current))?.trim();
  if (!id) return undefined;
  const written = parseJournal((await disk.readText(runFiles(home.dir, id).journal)) ?? '');
  const events = trustedEvents(written, effects.machine.bootId());
  const begin = events.find((event) => event.type === 'begin');
  const end = events.findLast((event) => event.type === 'end');
  if (end) {
    // It died after its last word, perhaps before the index heard of it.
    await saveEnd(end.run, end.trials, store);
    await disk.remove(homeLayout(home.dir).current);
  }
  if (!begin || end) return undefined;
  return { run: begin.run, options: begin.options, events };
}
