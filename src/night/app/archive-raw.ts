import type { RawPlaces } from '../../experiment/app/stage-places.ts';
import type { NightEffects } from './effects.ts';

/** Packs the raw data of a night. The folder is removed separately, once the archive is written down as complete. */
export async function packRaw(
  raw: RawPlaces,
  { disk, archiver }: Pick<NightEffects, 'disk' | 'archiver'>,
): Promise<void> {
  await disk.makeDir(raw.dir);
  await archiver.pack({ file: raw.archive, root: raw.dir });
}
