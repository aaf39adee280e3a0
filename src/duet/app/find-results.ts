import type { Disk, DiskEntry } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath } from '../../platform/core/path.ts';
import { parseDateText } from '../../platform/core/text/parse-date.ts';
import type { ResultName } from '../core/duet.ts';
import { type ParseOptions, parseResultName } from '../core/result-name.ts';
import { type Artifact, artifactValue, KNOWN_ARTIFACTS } from '../core/table/iteration-table.ts';

/** One result of one side of one run: a file, or a folder of files. */
export interface ResultEntry {
  readonly path: string;
  readonly type: DiskEntry['type'];
  readonly name: ResultName;
}

/** A folder that `duet run`, or the original, left. */
export interface ResultFolder {
  readonly dir: string;
  readonly label: string;
  /** Sorted by name, so that the same folder gives the same table. */
  readonly entries: readonly ResultEntry[];
  readonly artifacts: readonly Artifact[];
  /** When the whole benchmark began, milliseconds since 1970; undefined without a usable `date` artifact. */
  readonly beganAt: number | undefined;
  /** Names of entries that are not results. */
  readonly strays: readonly string[];
}

const NOT_RESULTS = ['artifacts', '.nightmark'];
const MAX_ARTIFACT_BYTES = 1024 * 1024;

export async function findResults(dir: string, naming: ParseOptions, disk: Disk): Promise<ResultFolder> {
  const facts = await disk.stat(dir);
  if (facts?.type !== 'folder') {
    throw new NightmarkError(
      'DUET_NO_FOLDER',
      facts ? `${dir} is not a folder.` : `There is no folder ${dir}.`,
      {
        hint: 'Name a folder of results, as "nightmark duet run -o DIR" makes it.',
      },
    );
  }
  const entries: ResultEntry[] = [];
  const strays: string[] = [];
  for (const { name, type } of await disk.list(dir)) {
    if (NOT_RESULTS.includes(name)) continue;
    const parsed = parseResultName(name, naming);
    if (parsed) entries.push({ path: joinPath(dir, name), type, name: parsed });
    else strays.push(name);
  }
  const artifacts = await readArtifacts(joinPath(dir, 'artifacts'), disk);
  const date = artifacts.find(({ name }) => name === 'date')?.value;
  const beganAt = date === undefined ? undefined : parseDateText(date);
  return { dir, label: baseName(dir), entries, artifacts, beganAt, strays };
}

async function readArtifacts(dir: string, disk: Disk): Promise<readonly Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const { name } of await disk.list(dir)) {
    if ((await disk.stat(joinPath(dir, name)))?.type !== 'file') continue;
    const ends = await disk.readEnds(joinPath(dir, name), { headBytes: MAX_ARTIFACT_BYTES, tailBytes: 0 });
    if (ends) artifacts.push({ name, value: artifactValue(name, ends.head) });
  }
  return artifacts.sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

function rank(name: string): number {
  const at = KNOWN_ARTIFACTS.indexOf(name);
  return at < 0 ? KNOWN_ARTIFACTS.length : at;
}
