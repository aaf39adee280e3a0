import { gatheredSettings, type MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import type { MatrixEffects } from '../app/effects.ts';
import type { ParseReport } from '../app/parse-report.ts';
import type { ParseRequest } from '../app/parse-request.ts';
import { readEntries } from '../app/read-entries.ts';
import { countSettings, type SettingValues } from '../core/setting-values.ts';

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
