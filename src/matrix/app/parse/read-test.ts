import type { Settings, TestFolder } from '../../../formats/core/kpi/matrix-entry.ts';
import type { ParsedFields, Workload } from '../../../formats/core/kpi/workload.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { isJsonObject, type JsonObject } from '../../../platform/core/text/json.ts';
import { passesFilters } from '../../core/filters.ts';
import { CALIPER_FILE, readExitCode, settingsFiles } from '../../core/test-directory.ts';
import type { FoundTest } from './find-tests.ts';
import { workloadFailure } from './make-entries.ts';
import type { CachedBody, CachedHead, CacheRecord } from './parse-cache.ts';
import { locationOf, type MatrixEffects, type ParseRequest } from './parse-request.ts';
import { mappingOf, readFolderSettings } from './read-settings.ts';
import {
  compareFingerprints,
  type RecordedFolder,
  recordFolder,
  refreshFingerprints,
} from './recorded-folder.ts';
import { type FileNote, findArtifacts, openTestFiles } from './test-files.ts';

/** The outcome of one test directory. `record` goes to the cache. */
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

/** Reads one test directory, from the cache where its files are unchanged. Its failure does not affect others. */
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
  // The body stays in the cache while a filter or a missing exit code hides the test.
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
    // A workload may be a user's program: its failure affects this test only.
    return { state: 'broken', reason: workloadFailure(error), record: { head } };
  }
}

/** Where the workload has a marker, an exit code is optional. */
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
    const state = await compareFingerprints(folder.dir, cached.seen, disk);
    if (state === 'same') return { body: cached, notes: [], isCached: true };
    if (state === 'touched') {
      const seen = await refreshFingerprints(folder.dir, cached.seen, { disk, now: clock.now() });
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

/** As the cache returns them, so that the first reading and later ones are equal. */
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

/** The settings and exit code of a test directory, from the cache while its files are unchanged. */
async function readHead(
  test: FoundTest,
  cached: CachedHead | undefined,
  effects: MatrixEffects,
): Promise<CachedHead> {
  // A folder with the same times has the same names in it.
  if (cached && (cached.folder === test.folder || namesOf(cached) === wantedNames(test))) {
    const { disk, clock } = effects;
    const state = await compareFingerprints(test.dir, cached.seen, disk);
    if (state === 'same' && cached.folder === test.folder) return cached;
    if (state === 'same') return { ...cached, folder: test.folder };
    if (state === 'touched') {
      const seen = await refreshFingerprints(test.dir, cached.seen, { disk, now: clock.now() });
      return { ...cached, seen, folder: test.folder };
    }
  }
  return readFresh(test, effects);
}

async function readFresh(test: FoundTest, effects: MatrixEffects): Promise<CachedHead> {
  const recorded = recordFolder(test.dir, effects.disk, effects.clock.now());
  const read = (name: string) => recorded.text(name);
  const own = await readFolderSettings(test.names, read, effects);
  const caliper = test.names.includes(CALIPER_FILE) ? await readCaliper(recorded, effects) : undefined;
  const exitText = test.names.includes('exit_code') ? await recorded.text('exit_code') : undefined;
  const exit = exitText === undefined && caliper ? caliper.exit : exitOf(exitText);
  const { problems } = own;
  const settings = { ...own.settings, ...caliper?.labels };
  const head = { seen: recorded.seen(), folder: test.folder, settings, problems };
  return own.broken === undefined ? { ...head, exit } : { ...head, exit: own.broken, isBroken: true };
}

/** The cache stores the exit code, or the reason why there is none. */
function exitOf(text: string | undefined): CachedHead['exit'] {
  const code = readExitCode(text);
  return code.ok ? code.value : code.error;
}

interface CaliperTest {
  readonly labels: Settings;
  readonly exit: number | string;
}

/** Caliper's description of a test: labels instead of settings, success instead of an exit code. */
async function readCaliper(recorded: RecordedFolder, effects: MatrixEffects): Promise<CaliperTest> {
  const text = (await recorded.text(CALIPER_FILE)) ?? '';
  const { labels, skip, completion } = mappingOf(text, CALIPER_FILE, effects.parseYaml);
  const hasFailed = isJsonObject(completion) && completion['success'] === false;
  return {
    labels: isJsonObject(labels) ? labels : {},
    exit: skip === true ? `${CALIPER_FILE} has "skip: true"` : hasFailed ? 1 : 0,
  };
}

/** A new or removed file is a change, too. */
function wantedNames({ names }: FoundTest): string {
  const more = [CALIPER_FILE, 'exit_code'].filter((name) => names.includes(name));
  return [...settingsFiles(names), ...more].join('\0');
}

function namesOf({ seen }: CachedHead): string {
  return seen.looks.map(([, path]) => path).join('\0');
}
