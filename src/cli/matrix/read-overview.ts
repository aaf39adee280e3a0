import type { MatrixEffects } from '../../app/matrix/effects.ts';
import type { ParseReport } from '../../app/matrix/parse-report.ts';
import type { ParseRequest } from '../../app/matrix/parse-request.ts';
import { readEntries } from '../../app/matrix/read-entries.ts';
import { gatheredSettings } from '../../core/matrix/gather.ts';
import { countSettings, type SettingValues } from '../../core/matrix/setting-values.ts';
import type { MatrixEntry } from '../../core/model/matrix.ts';

/** A tree without its results: what is in it, in memory that hardly grows with it. */
export interface Overview {
  readonly report: ParseReport;
  readonly settings: SettingValues;
  /** The entries themselves, where a second reading could not take them from the cache. */
  readonly entries?: readonly MatrixEntry[];
}

export async function readOverview(request: ParseRequest, effects: MatrixEffects): Promise<Overview> {
  const counter = countSettings();
  const entries: MatrixEntry[] = [];
  const report = await readEntries(
    request,
    (entry) => {
      counter.add(entry.settings);
      const gathered = gatheredSettings(entry.settings);
      if (gathered) counter.add(gathered);
      if (!request.usesCache) entries.push(entry);
    },
    effects,
  );
  return { report, settings: counter.finish(), ...(request.usesCache ? {} : { entries }) };
}
