import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { baseName, dirName, joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { FollowedRecord, Follower, FollowStep } from '../core/follower.ts';
import { formatLines, type LineTags } from '../core/lines/format-line.ts';
import type { Delivery, LineSink } from '../core/lines/line-sink.ts';

export interface FollowOptions {
  readonly dir: string;
  readonly stateFile: string;
  readonly tags: LineTags;
  /** Sends what exists now, and ends. */
  readonly isOnce: boolean;
  readonly everyMs: number;
}

export interface FollowEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  readonly followers: readonly Follower[];
  readonly sink: LineSink;
  report(line: string): void;
}

export interface FollowCounts {
  readonly files: number;
  readonly records: number;
  readonly lines: number;
  /** Batches of which the receiver refused at least a line. */
  readonly refusals: number;
  /** Files with an incomplete last record. */
  readonly waiting: number;
  readonly problems: number;
}

/** The folder is searched for new files only every few sweeps: trees of results are large. */
const SWEEPS_BETWEEN_SEARCHES = 5;
const MAX_BATCH_LINES = 20_000;

/**
 * Sends the logs below a folder, and what is appended, until cancelled. Before a batch is sent the state file records the
 * times of its records, and after it how far the files were sent: what is sent twice after a crash is the same points.
 */
export async function followFiles(options: FollowOptions, effects: FollowEffects): Promise<FollowCounts> {
  const following = new FileFollower(options, effects);
  await following.load();
  for (let sweep = 0; !effects.signal.aborted; sweep++) {
    if (sweep % SWEEPS_BETWEEN_SEARCHES === 0) await following.search();
    await following.sweep();
    if (options.isOnce) break;
    await effects.clock.sleep(options.everyMs, effects.signal);
  }
  return following.counts();
}

interface FollowedFile {
  readonly path: string;
  /** Below the folder; the key of the state. */
  readonly name: string;
  readonly follower: Follower;
  readonly tags: LineTags;
}

interface ReadFile {
  readonly file: FollowedFile;
  readonly step: FollowStep;
  readonly at: number;
}

class FileFollower {
  readonly #options: FollowOptions;
  readonly #effects: FollowEffects;
  readonly #files = new Map<string, FollowedFile>();
  readonly #waiting = new Set<string>();
  readonly #reported = new Set<string>();
  #state = new Map<string, FileState>();
  #records = 0;
  #lines = 0;
  #refusals = 0;

  constructor(options: FollowOptions, effects: FollowEffects) {
    this.#options = options;
    this.#effects = effects;
  }

  async load(): Promise<void> {
    this.#state = parseFollowState(await this.#effects.disk.readText(this.#options.stateFile));
  }

  counts(): FollowCounts {
    return {
      files: this.#files.size,
      records: this.#records,
      lines: this.#lines,
      refusals: this.#refusals,
      waiting: this.#waiting.size,
      problems: this.#reported.size,
    };
  }

  async search(): Promise<void> {
    const { dir, tags } = this.#options;
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const { name, type } of await this.#list(joinPath(dir, folder))) {
        const below = joinPath(folder, name);
        if (type === 'folder' && !name.startsWith('.') && name !== 'node_modules') folders.push(below);
        const follower = type === 'file' && this.#effects.followers.find((each) => each.follows(name));
        if (!follower || this.#files.has(below)) continue;
        const run = folder === '' ? baseName(dir) : dirName(below);
        const all = { run, source: follower.id, ...tags };
        this.#files.set(below, { path: joinPath(dir, below), name: below, follower, tags: all });
      }
    }
  }

  /** Reads every file to its present end. */
  async sweep(): Promise<void> {
    let open = [...this.#files.values()];
    while (open.length > 0 && !this.#effects.signal.aborted) {
      const more: FollowedFile[] = [];
      let batch: ReadFile[] = [];
      let values = 0;
      for (const file of open) {
        const read = await this.#read(file);
        if (!read) continue;
        batch.push(read);
        values += read.step.records.reduce((sum, record) => sum + record.values.length, 0);
        if (read.step.hasMore) more.push(file);
        if (values < MAX_BATCH_LINES) continue;
        if (!(await this.#send(batch))) return;
        batch = [];
        values = 0;
      }
      if (!(await this.#send(batch))) return;
      open = more;
    }
  }

  async #read(file: FollowedFile): Promise<ReadFile | undefined> {
    try {
      const state = this.#state.get(file.name);
      const step = await file.follower.read(file.path, state?.position);
      if (!step) return undefined;
      for (const problem of step.problems) this.#report(`${file.name}: ${problem}`);
      if (step.isWaiting) this.#waiting.add(file.name);
      else this.#waiting.delete(file.name);
      return { file, step, at: state?.pendingAt ?? step.modifiedAt };
    } catch (error) {
      this.#report(`${file.name} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** False when the receiver is unavailable; nothing changes then. */
  async #send(batch: readonly ReadFile[]): Promise<boolean> {
    const full = batch.filter(({ step }) => step.records.length > 0);
    if (full.length > 0) {
      for (const { file, at } of full) {
        this.#state.set(file.name, { position: this.#state.get(file.name)?.position ?? {}, pendingAt: at });
      }
      await this.#save();
      const lines = full.flatMap(({ file, step, at }) =>
        step.records.flatMap((record) => recordLines(record, file.tags, at)),
      );
      const refused = await this.#deliver(lines);
      if (refused === undefined) return false;
      this.#records += full.reduce((sum, { step }) => sum + step.records.length, 0);
      this.#lines += lines.length - refused;
    }
    for (const { file, step } of batch) this.#state.set(file.name, { position: step.position });
    if (full.length > 0) await this.#save();
    return true;
  }

  /** How many lines were refused; undefined when nothing can be sent now. */
  async #deliver(lines: readonly string[]): Promise<number | undefined> {
    const delivery: Delivery =
      lines.length === 0 ? { state: 'delivered' } : await this.#effects.sink.send(lines);
    if (delivery.state === 'delivered') return 0;
    if (delivery.state === 'refused') {
      this.#refusals++;
      this.#report(`The receiver refused lines: ${delivery.message}`);
      return delivery.lines ?? lines.length;
    }
    if (this.#options.isOnce) {
      throw new NightmarkError('FOLLOW_NOT_TAKEN', `Nothing could be sent: ${delivery.message}.`, {
        hint: 'Start the receiver (nightmark serve), or name another one with --to; nothing is lost, and nothing will be sent twice.',
      });
    }
    this.#report(`The receiver is unavailable, will retry: ${delivery.message}`);
    return undefined;
  }

  #save(): Promise<void> {
    return this.#effects.disk.writeText(this.#options.stateFile, followStateText(this.#state), {
      durable: true,
    });
  }

  async #list(dir: string) {
    try {
      return await this.#effects.disk.list(dir);
    } catch (error) {
      this.#report(`${dir} cannot be listed: ${messageOf(error)}`);
      return [];
    }
  }

  /** Each problem once. */
  #report(line: string): void {
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.#effects.report(line);
  }
}

/**
 * The lines of a record: a measurement for each name, with its value and step, as the clients of an experiment log it.
 * A record without a time gets that of its file; its number keeps records of one time apart, and makes the same record
 * the same point whenever it is sent.
 */
function recordLines(record: FollowedRecord, tags: LineTags, modifiedAt: number): readonly string[] {
  const at = record.at ?? { ms: modifiedAt, ns: record.number % 1_000_000 };
  return record.values.flatMap(([measurement, value]) =>
    formatLines({
      measurement,
      tags,
      fields: { value, ...(record.step !== undefined && { step: record.step }) },
      at,
    }),
  );
}

/** How far one file was sent. */
export interface FileState {
  readonly position: JsonObject;
  /** The time given to records that were being sent when this was written: sent again, they must be the same points. */
  readonly pendingAt?: number;
}

export type FollowState = ReadonlyMap<string, FileState>;

/** Reads what `followStateText` wrote; damaged entries count as not sent. */
function parseFollowState(text: string | undefined): Map<string, FileState> {
  const state = new Map<string, FileState>();
  const files = filesOf(text);
  for (const [path, file] of Object.entries(isJsonObject(files) ? files : {})) {
    if (!isJsonObject(file) || !isJsonObject(file['position'])) continue;
    const at = file['pendingAt'];
    state.set(path, { position: file['position'], ...(typeof at === 'number' && { pendingAt: at }) });
  }
  return state;
}

function followStateText(state: FollowState): string {
  const files = Object.fromEntries([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: 1, files }, undefined, 1)}\n`;
}

function filesOf(text: string | undefined): JsonValue | undefined {
  try {
    const read = JSON.parse(text ?? '{}') as JsonValue;
    return isJsonObject(read) ? read['files'] : undefined;
  } catch {
    return undefined;
  }
}
