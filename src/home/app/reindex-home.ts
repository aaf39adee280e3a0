import { homeLayout } from '../core/layout.ts';
import { indexChanges } from './reindex/index-changes.ts';
import { indexDataFiles } from './reindex/index-data-files.ts';
import { indexJournals } from './reindex/index-journals.ts';
import { indexPayloads } from './reindex/index-payloads.ts';
import { indexTelemetry } from './reindex/index-telemetry.ts';
import { beginReindex, type ReindexEffects, type ReindexReport } from './reindex/progress.ts';

/**
 * Builds the index of a home anew from its files, one file in memory at a time. A file that cannot be used is
 * counted and named in the report; only a failing store stops it.
 */
export async function reindexHome(
  { home }: { readonly home: string },
  effects: ReindexEffects,
): Promise<ReindexReport> {
  const progress = beginReindex(home, effects);
  await effects.store.clearIndex();
  await indexJournals(homeLayout(home).runs, progress, effects);
  await indexDataFiles(homeLayout(home).data(''), progress, effects);
  await indexTelemetry(homeLayout(home).telemetry(''), progress, effects);
  await indexPayloads(homeLayout(home).payloads(''), progress, effects);
  await indexChanges(home, progress, effects);
  return progress.finish();
}
