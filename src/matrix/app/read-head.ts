import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import { isJsonObject } from '../../platform/core/text/json.ts';
import { readExitCode } from '../core/exit-code.ts';
import { CALIPER_FILE, settingsFiles } from '../core/settings-files.ts';
import type { CachedHead } from './cache-record.ts';
import type { MatrixEffects } from './effects.ts';
import type { FoundTest } from './find-tests.ts';
import { compareLooks, refreshLooks } from './looks.ts';
import { mappingOf, readFolderSettings } from './read-settings.ts';
import { type RecordedFolder, recordFolder } from './recorded-folder.ts';

/** What a test directory says about itself: from the cache as long as its files are as they were. */
export async function readHead(
  test: FoundTest,
  cached: CachedHead | undefined,
  effects: MatrixEffects,
): Promise<CachedHead> {
  // A folder with the same times has the same names in it.
  if (cached && (cached.folder === test.folder || namesOf(cached) === wantedNames(test))) {
    const { disk, clock } = effects;
    const state = await compareLooks(test.dir, cached.seen, disk);
    if (state === 'same' && cached.folder === test.folder) return cached;
    if (state === 'same') return { ...cached, folder: test.folder };
    if (state === 'touched') {
      const seen = await refreshLooks(test.dir, cached.seen, { disk, now: clock.now() });
      return { ...cached, seen, folder: test.folder };
    }
  }
  return readAnew(test, effects);
}

async function readAnew(test: FoundTest, effects: MatrixEffects): Promise<CachedHead> {
  const recorded = recordFolder(test.dir, effects.disk, effects.clock.now());
  const read = (name: string) => recorded.text(name);
  const own = await readFolderSettings(test.names, read, effects);
  const caliper = test.names.includes(CALIPER_FILE) ? await readCaliper(recorded, effects) : undefined;
  const exitText = test.names.includes('exit_code') ? await recorded.text('exit_code') : undefined;
  const exit = exitText === undefined && caliper ? caliper.exit : readExitCode(exitText);
  const { problems } = own;
  const settings = { ...own.settings, ...caliper?.labels };
  const head = { seen: recorded.seen(), folder: test.folder, settings, problems };
  return own.broken === undefined ? { ...head, exit } : { ...head, exit: own.broken, isBroken: true };
}

interface CaliperTest {
  readonly labels: Settings;
  readonly exit: number | string;
}

/** The successor's description of a test: labels instead of settings, success instead of an exit code. */
async function readCaliper(recorded: RecordedFolder, effects: MatrixEffects): Promise<CaliperTest> {
  const text = (await recorded.text(CALIPER_FILE)) ?? '';
  const { labels, skip, completion } = mappingOf(text, CALIPER_FILE, effects.parseYaml);
  const hasFailed = isJsonObject(completion) && completion['success'] === false;
  return {
    labels: isJsonObject(labels) ? labels : {},
    exit: skip === true ? `${CALIPER_FILE} says that it is to be skipped` : hasFailed ? 1 : 0,
  };
}

/** Also a file that came or went is a change. */
function wantedNames({ names }: FoundTest): string {
  const more = [CALIPER_FILE, 'exit_code'].filter((name) => names.includes(name));
  return [...settingsFiles(names), ...more].join('\0');
}

function namesOf({ seen }: CachedHead): string {
  return seen.looks.map(([, path]) => path).join('\0');
}
