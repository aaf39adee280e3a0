import { gatheredSettings, identityOf, type MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { inOrder } from '../../../platform/core/in-order.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { buildMatrix, type Matrix } from '../../core/matrix.ts';
import { type FoundFolder, findTests } from './find-tests.ts';
import { createEntryMaker, type EntryMaker, workloadFailure } from './make-entries.ts';
import { cacheFailureReason, NO_CACHE, openCache, type ParseCache } from './parse-cache.ts';
import {
  createReport,
  locationOf,
  type MatrixEffects,
  type ParseReport,
  type ParseRequest,
  type ReportBuilder,
} from './parse-request.ts';
import { type ReadTest, readTest, type TestOutcome } from './read-test.ts';

/** The event loop gets a turn after this many folders. */
const TURN_EVERY = 200;

/** Reads a whole tree into memory, for plots. */
export async function readMatrix(
  request: ParseRequest,
  effects: MatrixEffects,
): Promise<{ readonly matrix: Matrix; readonly report: ParseReport }> {
  const entries: MatrixEntry[] = [];
  const report = await readEntries(request, (entry) => void entries.push(entry), effects);
  return { matrix: buildMatrix(entries), report };
}

/** Reads a tree of results and passes on its entries in order, one at a time: memory does not grow with the tree. */
export async function readEntries(
  request: ParseRequest,
  take: (entry: MatrixEntry) => void,
  effects: MatrixEffects,
): Promise<ParseReport> {
  await requireFolder(request, effects.disk);
  const report = createReport();
  const cache = await cacheOf(request, report, effects.disk);
  const work: Work = { request, report, effects, cache, maker: createEntryMaker(request, report) };
  const groups = new Set<string>();
  try {
    let count = 0;
    for await (const { found, outcome } of inOrder(foldersOf(work), request.jobs, readOne(work))) {
      if (++count % TURN_EVERY === 0) await effects.clock.sleep(0);
      for (const entry of reportFolder(found, outcome, work)) {
        const gathered = gatheredSettings(entry.settings);
        if (gathered) groups.add(textHash(identityOf(gathered)));
        report.counts.entries++;
        take(entry);
      }
      updateCache(found, outcome, cache);
      if (effects.signal.aborted) {
        throw new NightmarkError('MATRIX_INTERRUPTED', 'Reading the results was interrupted.', {
          hint: 'What was read is in the cache: the next reading continues from there.',
        });
      }
    }
    await cache.finish(false);
  } catch (error) {
    if (effects.signal.aborted) await cache.finish(true);
    throw error;
  } finally {
    cache.discard();
  }
  report.counts.gathered = groups.size;
  return report.finish();
}

interface Work {
  readonly request: ParseRequest;
  readonly report: ReportBuilder;
  readonly effects: MatrixEffects;
  readonly cache: ParseCache;
  readonly maker: EntryMaker;
}

/** The cache is read during the walk, in its order; the tests are then read in parallel. */
function foldersOf({ request, effects, cache }: Work): AsyncGenerator<FoundFolder> {
  const { dir, parents, workload } = request;
  const marker = workload.marker === undefined ? {} : { marker: workload.marker };
  return findTests({ dir, parents, ...marker, readCache: (path) => cache.take(path) }, effects);
}

interface FolderOutcome {
  readonly found: FoundFolder;
  readonly outcome?: TestOutcome;
}

function readOne({ request, effects }: Work) {
  return async (found: FoundFolder): Promise<FolderOutcome> => {
    if (found.state !== 'found') return { found };
    return { found, outcome: await readTest(found, found.cached?.record, { request, effects }) };
  };
}

function updateCache(found: FoundFolder, outcome: TestOutcome | undefined, cache: ParseCache): void {
  if (found.state !== 'found' || !outcome?.record) return;
  const { path, cached } = found;
  cache.put(path, cached?.record === outcome.record ? cached : outcome.record);
}

/** Counts the outcome of a folder and makes its entries. */
function reportFolder(
  found: FoundFolder,
  outcome: TestOutcome | undefined,
  work: Work,
): readonly MatrixEntry[] {
  const { report, request, maker } = work;
  const { counts } = report;
  const location = locationOf(request, found.path);
  if (found.state !== 'note') counts.tests++;
  if (found.state === 'found' && found.names.includes('settings.yml')) {
    report.note('settings.yml', { location, reason: 'settings.yml is an old name: call it settings.yaml' });
  }
  if (found.state === 'note') report.add({ kind: 'note', location, reason: found.reason });
  else if (found.state !== 'found') {
    const kind = found.state === 'skipped' ? 'unfinished' : 'broken';
    counts[kind]++;
    report.add({ kind, location, reason: found.reason });
  } else if (outcome?.state === 'filtered') counts.filtered++;
  else if (outcome && outcome.state !== 'read') {
    counts[outcome.state]++;
    report.add({ kind: outcome.state, location, reason: outcome.reason });
  } else if (outcome) return entriesOf(outcome, { location, report, maker });
  return [];
}

function entriesOf(
  test: ReadTest,
  { location, report, maker }: Pick<Work, 'report' | 'maker'> & { readonly location: string },
): readonly MatrixEntry[] {
  const { counts } = report;
  for (const { key, text } of test.notes) report.note(key, { location, reason: text });
  if (test.isCached) counts.cached++;
  try {
    const entries = maker.make(test);
    counts[test.problems.length === 0 ? 'complete' : 'partial']++;
    for (const reason of test.problems) report.add({ kind: 'partial', location, reason });
    return entries;
  } catch (error) {
    counts.broken++;
    report.add({ kind: 'broken', location, reason: workloadFailure(error) });
    return [];
  }
}

async function cacheOf(request: ParseRequest, report: ReportBuilder, disk: Disk): Promise<ParseCache> {
  if (!request.usesCache) return NO_CACHE;
  const onFailure = (error: unknown) => {
    const reason = `the cache could not be written: ${cacheFailureReason(error)}`;
    report.note('cache', { location: request.label, reason });
  };
  try {
    return await openCache(request.dir, { workload: request.workload, disk, onFailure });
  } catch (error) {
    onFailure(error);
    return NO_CACHE;
  }
}

async function requireFolder({ dir, label }: ParseRequest, disk: Disk): Promise<void> {
  const facts = await disk.stat(dir);
  if (facts?.type === 'folder') return;
  const message = facts ? `${label} is not a folder.` : `There is no folder ${label}.`;
  throw new NightmarkError('MATRIX_NO_FOLDER', message, {
    hint: 'Name the folder that holds the test directories.',
  });
}
