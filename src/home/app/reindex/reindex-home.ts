import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { isPayloadFile } from '../../../formats/core/kpi/payload-files.ts';
import { asPayload } from '../../../formats/core/kpi/read-payload.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { homeLayout } from '../../core/home-layout.ts';
import { readLedger, unusableLinesMessage } from '../ledger-file.ts';
import { indexDataFiles, indexTelemetry } from './index-data-files.ts';
import { indexJournals } from './index-journals.ts';
import {
  beginReindex,
  filesIn,
  foldersIn,
  inGroups,
  type ReindexEffects,
  type ReindexProgress,
  type ReindexReport,
  readWhole,
} from './reindex-progress.ts';

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

const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** The payloads of matrix tests that were kept in this home. */
async function indexPayloads(
  dir: string,
  progress: ReindexProgress,
  { disk, store }: ReindexEffects,
): Promise<void> {
  for (const workload of await foldersIn(dir, disk, progress)) {
    const folder = joinPath(dir, workload);
    const names = (await filesIn(folder, disk, progress)).filter(isPayloadFile);
    await inGroups(store, names, async (name) => {
      const payload = await progress.attempt(joinPath(folder, name), async () =>
        payloadOf(JSON.parse(await readWhole(folder, name, disk, MAX_PAYLOAD_BYTES)) as JsonValue),
      );
      if (!payload) return;
      await store.savePayloads([payload]);
      progress.count('payloads');
    });
  }
}

function payloadOf(document: JsonValue): Payload {
  const read = asPayload(document);
  if ('reason' in read) throw new Error(`It is not a payload: ${read.reason}.`);
  return read.payload;
}

/** Changes and their reviews, from the ledger of the home. */
async function indexChanges(
  home: string,
  progress: ReindexProgress,
  { disk, store }: ReindexEffects,
): Promise<void> {
  const file = homeLayout(home).changes;
  const reading = await progress.attempt(file, () => readLedger(home, disk));
  if (!reading) return;
  const message = unusableLinesMessage(reading);
  if (message !== undefined) progress.note(file, message);
  const { changes, absences } = reading.ledger;
  await inGroups(store, [...changes.values()], (change) => store.saveChanges([change]));
  await store.saveAbsences([...absences.values()]);
  progress.count('changes', changes.size);
}
