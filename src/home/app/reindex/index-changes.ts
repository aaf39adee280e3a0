import { homeLayout } from '../../core/layout.ts';
import { readLedger, tellUnusable } from '../ledger-file.ts';
import { inGroups } from './files.ts';
import type { Progress, ReindexEffects } from './progress.ts';

/** Changes and what people said about them, from the ledger of the home. */
export async function indexChanges(
  home: string,
  progress: Progress,
  { disk, store }: ReindexEffects,
): Promise<void> {
  const file = homeLayout(home).changes;
  const reading = await progress.attempt(file, () => readLedger(home, disk));
  if (!reading) return;
  const told = tellUnusable(reading);
  if (told !== undefined) progress.note(file, told);
  const { changes, absences } = reading.ledger;
  await inGroups(store, [...changes.values()], (change) => store.saveChanges([change]));
  await store.saveAbsences([...absences.values()]);
  progress.count('changes', changes.size);
}
