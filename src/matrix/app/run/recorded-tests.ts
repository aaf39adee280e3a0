import {
  EXIT_CODE_FILE,
  SETTINGS_FILE,
  testFolderName,
  testFolderNumber,
  testKey,
} from '../../../home/core/sweep/plan-tests.ts';
import { inOrder } from '../../../platform/core/in-order.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { readExitCode } from '../../core/test-directory.ts';
import type { MatrixRunEffects } from './run-effects.ts';

/** The folder of a test from an earlier run. */
export interface RecordedTest {
  /** Relative to the results. */
  readonly folder: string;
  /** Absent: it did not end. */
  readonly exitCode?: number;
}

/** The tests of earlier runs. */
export interface Recorded {
  find(test: Parameters<typeof testKey>[0]): RecordedTest | undefined;
  /** The folder of a new test: one number above the highest. */
  nextFolder(experiment: string, path: string): string;
}

const AT_ONCE = 32;

/** Reads the folders of experiments, also those of the original tool: the folder names the experiment. */
export async function readRecorded(
  resultsDir: string,
  experiments: readonly string[],
  effects: Pick<MatrixRunEffects, 'disk' | 'parseSettings'>,
): Promise<Recorded> {
  const found = new Map<string, RecordedTest>();
  const highest = new Map<string, number>();
  for (const experiment of new Set(experiments)) {
    const entries = await effects.disk.list(joinPath(resultsDir, experiment));
    const names = entries.map(({ name }) => name).filter((name) => testFolderNumber(name) !== undefined);
    const numbers = names.map((name) => testFolderNumber(name) ?? -1);
    highest.set(
      experiment,
      numbers.reduce((most, number) => Math.max(most, number), -1),
    );
    const read = (name: string) => readFolder(resultsDir, experiment, name, effects);
    for await (const folder of inOrder(names, AT_ONCE, read)) {
      // Of several, one that succeeded counts, else the newest.
      if (folder && found.get(folder.key)?.exitCode !== 0) found.set(folder.key, folder.recorded);
    }
  }
  return {
    find: (test) => found.get(testKey(test)),
    nextFolder(experiment, path) {
      const number = (highest.get(experiment) ?? -1) + 1;
      highest.set(experiment, number);
      return `${experiment}/${testFolderName(number, path)}`;
    },
  };
}

async function readFolder(
  resultsDir: string,
  experiment: string,
  name: string,
  { disk, parseSettings }: Pick<MatrixRunEffects, 'disk' | 'parseSettings'>,
): Promise<{ readonly key: string; readonly recorded: RecordedTest } | undefined> {
  const folder = `${experiment}/${name}`;
  const dir = joinPath(resultsDir, folder);
  const file = joinPath(dir, SETTINGS_FILE);
  const text = await disk.readText(file);
  const settings = text === undefined ? undefined : parseSettings(file, text);
  // A test with a file "skip" is neither read nor replaced.
  if (!settings || (await disk.stat(joinPath(dir, 'skip'))) !== undefined) return undefined;
  const exitCode = readExitCode(await disk.readText(joinPath(dir, EXIT_CODE_FILE)));
  const recorded = exitCode.ok ? { folder, exitCode: exitCode.value } : { folder };
  return { key: testKey({ experiment, settings }), recorded };
}
