import type { TestFolder } from '../../formats/core/kpi/matrix-entry.ts';
import type { ParsedFields, Workload } from '../../formats/core/kpi/workload.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { textHash } from '../../platform/core/text/change-hash.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { passesFilters } from '../core/filters.ts';
import type { CachedBody, CacheRecord } from './cache-record.ts';
import type { MatrixEffects } from './effects.ts';
import { findArtifacts } from './find-artifacts.ts';
import type { FoundTest } from './find-tests.ts';
import { compareLooks, refreshLooks } from './looks.ts';
import { workloadFailure } from './make-entries.ts';
import { locationOf, type ParseRequest } from './parse-request.ts';
import { readHead } from './read-head.ts';
import { recordFolder } from './recorded-folder.ts';
import { type FileNote, openTestFiles } from './test-files.ts';

/** What came of one test directory. `record` is to be remembered. */
export type TestOutcome =
  | { readonly state: 'unfinished' | 'broken'; readonly reason: string; readonly record?: CacheRecord }
  | { readonly state: 'filtered'; readonly record: CacheRecord }
  | ReadTest;

export interface ReadTest {
  readonly state: 'read';
  readonly folder: TestFolder;
  readonly results: JsonObject;
  readonly problems: readonly string[];
  readonly notes: readonly FileNote[];
  readonly isCached: boolean;
  readonly record: CacheRecord;
}

interface Reading {
  readonly request: ParseRequest;
  readonly effects: MatrixEffects;
}

/** Reads one test directory, from the cache where its files are as they were. Its failures are its own. */
export async function readTest(
  test: FoundTest,
  cached: CacheRecord | undefined,
  reading: Reading,
): Promise<TestOutcome> {
  try {
    return await readFolder(test, cached, reading);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return { state: 'broken', reason: messageOf(error).replaceAll(`${test.dir}/`, '') };
  }
}

async function readFolder(
  test: FoundTest,
  cached: CacheRecord | undefined,
  { request, effects }: Reading,
): Promise<TestOutcome> {
  const { workload, filters, isCompat } = request;
  const head = await readHead(test, cached?.head, effects);
  // A body is kept when only the filter, or the exit code for a while, stands in the way.
  const kept: CacheRecord = head === cached?.head ? cached : { ...cached, head };
  if (head.isBroken) return { state: 'broken', reason: String(head.exit), record: kept };
  const settings = { ...test.inherited, ...head.settings };
  if (!passesFilters(settings, filters, isCompat)) return { state: 'filtered', record: kept };
  const exitCode = exitCodeOf(head.exit, test, workload);
  if (typeof exitCode === 'string') return { state: 'unfinished', reason: exitCode, record: kept };
  const folder = { dir: test.dir, location: locationOf(request, test.path), settings, exitCode };
  try {
    const once = await parseOnce(folder, cached?.body, { workload, effects });
    const always = await parseAlways(folder, once.body, { workload, effects });
    const isSame = kept === cached && once.body === cached.body;
    return {
      state: 'read',
      folder,
      results: always ? { ...once.body.fields, ...always.fields } : once.body.fields,
      problems: [
        ...test.inheritedProblems,
        ...head.problems,
        ...once.body.problems,
        ...(always?.problems ?? []),
      ],
      notes: once.notes,
      isCached: once.isCached,
      record: isSame ? kept : { head, body: once.body },
    };
  } catch (error) {
    // A workload is somebody's program: its failure is told and costs this test only.
    return { state: 'broken', reason: workloadFailure(error), record: { head } };
  }
}

/** Where a marker makes the test directories, an exit code is not asked for. */
function exitCodeOf(exit: number | string, { names }: FoundTest, workload: Workload): number | string {
  return workload.marker !== undefined && !names.includes('exit_code') ? 0 : exit;
}

interface Parsing {
  readonly workload: Workload;
  readonly effects: MatrixEffects;
}

interface ParsedOnce {
  readonly body: CachedBody;
  readonly notes: readonly FileNote[];
  readonly isCached: boolean;
}

async function parseOnce(
  folder: TestFolder,
  cached: CachedBody | undefined,
  { workload, effects }: Parsing,
): Promise<ParsedOnce> {
  const { disk, clock } = effects;
  const given = textHash(`${folder.exitCode} ${JSON.stringify(folder.settings)}`);
  if (cached?.given === given) {
    const state = await compareLooks(folder.dir, cached.seen, disk);
    if (state === 'same') return { body: cached, notes: [], isCached: true };
    if (state === 'touched') {
      const seen = await refreshLooks(folder.dir, cached.seen, { disk, now: clock.now() });
      return { body: { ...cached, seen }, notes: [], isCached: true };
    }
  }
  const recorded = recordFolder(folder.dir, disk, clock.now());
  const found = await findArtifacts(recorded, workload);
  const artifacts = found.folders;
  const opened = openTestFiles({ folder, recorded, workload, artifacts }, effects);
  const parsed = await workload.parseOnce(opened.files);
  const problems = [...new Set([...found.problems, ...opened.problems, ...parsed.problems])];
  const fields = plainFields(parsed.fields);
  return {
    body: { seen: recorded.seen(), given, artifacts, fields, problems },
    notes: [...found.notes, ...opened.notes],
    isCached: false,
  };
}

/** What the cache would give back: the first reading and the later ones are equal. */
function plainFields(fields: JsonObject): JsonObject {
  try {
    return JSON.parse(JSON.stringify(fields)) as JsonObject;
  } catch (cause) {
    const message = 'its fields cannot be written as JSON.';
    throw new NightmarkError('WORKLOAD_NOT_JSON', message, { hint: 'Return plain objects.', cause });
  }
}

async function parseAlways(
  folder: TestFolder,
  { fields, artifacts }: CachedBody,
  { workload, effects }: Parsing,
): Promise<ParsedFields | undefined> {
  if (!workload.parseAlways) return undefined;
  const recorded = recordFolder(folder.dir, effects.disk, effects.clock.now());
  const opened = openTestFiles({ folder, recorded, workload, artifacts }, effects);
  const parsed = await workload.parseAlways(opened.files, fields);
  return { fields: parsed.fields, problems: [...new Set([...opened.problems, ...parsed.problems])] };
}
