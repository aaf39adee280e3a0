import type { RawPlaces } from '../../experiment/app/stage-command.ts';
import { backupHome } from '../../home/app/backup-home.ts';
import { backupName } from '../../home/core/home-layout.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Night } from './night.ts';
import type { NightEffects } from './night-effects.ts';

/** The home as it was before anything of this night touched it. */
export async function backUpBefore(night: Night): Promise<void> {
  const { home, recorder } = night;
  if (!home.backups.before || recorder.isDone('backup-before')) return;
  if (await backUp(night, 'before')) await recorder.record({ type: 'step', step: 'backup-before' });
}

/** A backup that fails is a warning; the night goes on without it. */
export async function backUp(night: Night, when: 'before' | 'after'): Promise<boolean> {
  const { home, effects, recorder, run } = night;
  const { tmp, backup, setup } = home.folders;
  const file = joinPath(backup, backupName(run.label, when));
  effects.report({ type: 'step', text: `Backing up to ${file}` });
  return orWarn(night, 'The backup failed', async () => {
    await effects.disk.makeDir(backup);
    const request = { home: home.dir, file, alsoLeftOut: [tmp, backup, setup], signal: effects.signal };
    const { notes } = await backupHome(request, effects);
    for (const note of notes) recorder.warn(`Backup: ${note}`);
  });
}

/** Turns a failure beside the measurement into a warning. */
async function orWarn(night: Night, what: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof NightmarkError) || night.effects.signal.aborted) throw error;
    night.recorder.warn(`${what}: ${error.message}`);
    return false;
  }
}

/** Packs the raw data. They are deleted when the night ends: see moveToTrash. */
export async function archiveRaw(night: Night): Promise<void> {
  const { recorder, raw, effects } = night;
  if (!recorder.isDone('archive')) {
    await orWarn(night, `The raw data stay in ${raw.dir}, they could not be archived`, async () => {
      await packRaw(raw, effects);
      await recorder.record({ type: 'step', step: 'archive' });
    });
  }
}

/** Packs the raw data of a night. The folder is removed separately, once the archive is recorded as complete. */
export async function packRaw(
  raw: RawPlaces,
  { disk, archiver }: Pick<NightEffects, 'disk' | 'archiver'>,
): Promise<void> {
  await disk.makeDir(raw.dir);
  await archiver.pack({ file: raw.archive, root: raw.dir });
}
