import { MEASURES_FILE, readCommandMeasures } from '../../executors/core/measured-command.ts';
import type { Measures } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { DuetBenchmark, PlannedRun } from '../core/duet.ts';
import { parseResultName, withoutDots } from '../core/result-name.ts';
import type { Sandbox } from '../core/sandbox.ts';
import type { ResultsFolder } from './results-folder.ts';
import { sidesOf } from './run-job.ts';

interface FetchRequest {
  readonly sandbox: Sandbox;
  readonly paths: readonly string[];
  /** The name of a result in the folder, by the path it comes from. */
  nameOf(path: string): string;
  readonly folder: ResultsFolder;
}

interface Fetched {
  readonly fetched: readonly string[];
  readonly missing: readonly string[];
  /** Why, one sentence for each that is missing. */
  readonly reasons: readonly string[];
}

/** Fetches the results of one side into the folder, each whole or not at all; a missing one does not affect the others. */
export async function fetchResults(
  { sandbox, paths, nameOf, folder }: FetchRequest,
  disk: Disk,
): Promise<Fetched> {
  const fetched: string[] = [];
  const missing: string[] = [];
  const reasons: string[] = [];
  await disk.makeDir(folder.incoming);
  for (const path of paths) {
    const name = nameOf(path);
    const incoming = joinPath(folder.incoming, name);
    const target = joinPath(folder.dir, name);
    try {
      await disk.remove(incoming);
      await sandbox.fetch(path, incoming);
      await disk.sync([incoming]);
      await disk.remove(target);
      await disk.rename(incoming, target);
      fetched.push(name);
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      missing.push(path);
      reasons.push(messageOf(error));
    }
  }
  return { fetched, missing, reasons };
}

/** What was measured of the command of a side; undefined where it left nothing, as one that was killed. */
export async function fetchMeasures(
  sandbox: Sandbox,
  folder: ResultsFolder,
  disk: Disk,
): Promise<Readonly<Partial<Measures>> | undefined> {
  const incoming = joinPath(folder.incoming, MEASURES_FILE);
  try {
    await disk.remove(incoming);
    await sandbox.fetch(MEASURES_FILE, incoming);
    const text = await disk.readText(incoming, { maxBytes: 65_536, within: folder.incoming });
    const { measures } = readCommandMeasures(['wall', 'cpu'], text, undefined);
    return Object.keys(measures).length > 0 ? measures : undefined;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return undefined;
  } finally {
    await disk.remove(incoming);
  }
}

/** Results of earlier runs in the folder, which must not be mistaken for those of a repeated run. */
export class StaleResults {
  readonly #dir: string;
  readonly #disk: Disk;
  readonly #names = new Map<string, string[]>();

  /** `names` are all entries of the folder: it is listed once, not for every run. */
  constructor(dir: string, names: readonly string[], disk: Disk) {
    this.#dir = dir;
    this.#disk = disk;
    for (const name of names) {
      const it = parseResultName(name, { lenient: true });
      if (!it) continue;
      const key = keyOf(it.suite, it.benchmark, it);
      const known = this.#names.get(key);
      if (known) known.push(name);
      else this.#names.set(key, [name]);
    }
  }

  /** Whatever the order was: the folder holds one run of each number. */
  async remove(run: PlannedRun, { suite }: DuetBenchmark): Promise<void> {
    for (const pair of sidesOf(run)) {
      const key = keyOf(withoutDots(suite), withoutDots(run.benchmark), { ...run, pair });
      for (const name of this.#names.get(key) ?? []) await this.#disk.remove(joinPath(this.#dir, name));
      this.#names.delete(key);
    }
  }
}

export async function findStale({ dir }: ResultsFolder, disk: Disk): Promise<StaleResults> {
  const entries = await disk.list(dir);
  return new StaleResults(
    dir,
    entries.map(({ name }) => name),
    disk,
  );
}

function keyOf(
  suite: string,
  benchmark: string,
  { runid, type, pair }: { readonly runid: number; readonly type: string; readonly pair: Side },
): string {
  return [suite, benchmark, runid, type, pair].join('.');
}
