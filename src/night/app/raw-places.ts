import type { RawPlaces } from '../../experiment/app/stage-places.ts';
import type { Home } from '../../home/core/home.ts';
import { rawArchiveName } from '../../home/core/home-layout.ts';
import { joinPath } from '../../platform/core/path.ts';

/** Where the raw data of the night with this label lie, and the archive they become. */
export function rawPlaces(home: Home, label: string): RawPlaces {
  const { tmp } = home.folders;
  return {
    dir: joinPath(tmp, `benchmarks_${label}`),
    archive: joinPath(tmp, rawArchiveName(label)),
  };
}
