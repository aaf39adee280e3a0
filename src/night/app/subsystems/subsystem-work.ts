import type { PictureMaker } from '../../../charts/core/picture-maker.ts';
import { toPlain } from '../../../formats/core/parse-json.ts';
import type { Home, Task } from '../../../home/core/home.ts';
import type { HomeLayout } from '../../../home/core/home-layout.ts';
import type { Status } from '../../../home/core/status.ts';
import { type DataEntry, isDataEntry, timestampMs } from '../../../kit/core/data-series.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { type ExactJson, parseExactJson } from '../../../platform/core/text/exact-json.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { NotifyPlace, SlackTransport } from '../../../publish/core/notices/notifier.ts';

/** What only built-in subsystems need of the world; loaded on demand. */
export interface SubsystemTools {
  openSlack(place: NotifyPlace): Promise<SlackTransport>;
  openPictures(): Promise<PictureMaker>;
}

/** What a built-in subsystem works with. It finds results where scripts would: in the files of the home. */
export interface SubsystemWork {
  readonly home: Home;
  readonly layout: HomeLayout;
  readonly task: Task;
  /** Its config.json. */
  readonly config: JsonObject;
  /** Its own folder, kept from night to night. */
  readonly output: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  readonly tools: SubsystemTools;
  randomSeed(): number;
  /** Why an experiment did not run this night, where nothing was wrong. */
  skipReason(task: Task): string | undefined;
}

export type BuiltInSubsystem = (work: SubsystemWork) => Promise<Status>;

/** The numbers of one night: as they were written, and to compute with. */
export interface DataFile {
  readonly exact: ExactJson;
  readonly entry: DataEntry;
}

const MAX_BYTES = 256 * 1024 * 1024;

/** The data files in a folder, oldest first. Files that are something else, or broken, are passed over. */
export async function readDataFiles(dir: string, disk: Disk): Promise<readonly DataFile[]> {
  const files: (DataFile & { readonly at: number; readonly count: number })[] = [];
  for (const { name, type } of await disk.list(dir)) {
    if (type !== 'file' || !name.endsWith('.json')) continue;
    const exact = await read(dir, name, disk);
    const entry = exact === undefined ? null : toPlain(exact);
    if (exact === undefined || !isDataEntry(entry)) continue;
    // A second night in one minute has the same timestamp; only the names of the files show which came first.
    const count = Number(/-\d{4}-(\d+)\.json$/.exec(name)?.[1] ?? 1);
    files.push({ exact, entry, at: timestampMs(entry.timestamp), count });
  }
  return files.sort((a, b) => a.at - b.at || a.count - b.count);
}

async function read(dir: string, name: string, disk: Disk): Promise<ExactJson | undefined> {
  try {
    const text = await disk.readText(joinPath(dir, name), { maxBytes: MAX_BYTES, within: dir });
    return text === undefined ? undefined : parseExactJson(text);
  } catch (error) {
    if (error instanceof NightmarkError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
