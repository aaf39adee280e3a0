import type { Settings } from '../../../formats/core/kpi/matrix-entry.ts';
import type { Workload } from '../../../formats/core/kpi/workload.ts';
import type { Disk, FileWriter } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { type Fingerprints, isFingerprints, type ObservedTimes } from './recorded-folder.ts';

/** A record with its line in the file; put back unchanged, the line is reused. */
export interface CachedLine {
  readonly line: string;
  readonly record: CacheRecord;
}

/**
 * The results of earlier readings: one file, one line for each test, in the order of the walk. It is read and written
 * during the walk, so that a tree of any size needs the memory of one test.
 */
export interface ParseCache {
  /** Called in the order of the walk. */
  take(path: string): Promise<CachedLine | undefined>;
  /** Called in the order of the walk. */
  put(path: string, record: CachedLine | CacheRecord): void;
  /** Drops records that were not taken; `isPartial` keeps them, after an interruption. */
  finish(isPartial: boolean): Promise<void>;
  discard(): void;
}

export const NO_CACHE: ParseCache = {
  take: async () => undefined,
  put: () => undefined,
  finish: async () => undefined,
  discard: () => undefined,
};

/** Increased when the meaning of records changes. */
const FORMAT = 'nightmark matrix cache 2';
/** Characters that are written at once. */
const BLOCK = 1 << 20;

function cacheFile(dir: string, { name }: Workload): string {
  const safe = name.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return joinPath(dir, '.nightmark/cache', `matrix-${safe}-${textHash(name)}.ndjson`);
}

interface CacheOptions {
  readonly workload: Workload;
  readonly disk: Disk;
  /** Called when the cache cannot be written any more; reading goes on. */
  onFailure(error: unknown): void;
}

export async function openCache(dir: string, options: CacheOptions): Promise<ParseCache> {
  const { workload, disk, onFailure } = options;
  const path = cacheFile(dir, workload);
  const header = JSON.stringify([FORMAT, workload.version, workload.marker ?? '']);
  const writer = await disk.openWriter(path);
  try {
    const old = await openCachedLines(path, header, disk);
    return createCache({ old, output: createBlockWriter(writer, `${header}\n`, onFailure), writer });
  } catch (error) {
    writer.discard();
    throw error;
  }
}

interface CacheFiles {
  /** Undefined: there was no usable cache. */
  readonly old: CachedLines | undefined;
  readonly output: BlockWriter;
  readonly writer: FileWriter;
}

function createCache({ old, output, writer }: CacheFiles): ParseCache {
  let isChanged = old === undefined;
  let ahead: string | undefined;
  /** Its path, parsed once: each folder of the walk is compared with it. */
  let aheadPath: string | undefined;
  let isBegun = false;
  const next = async () => {
    isBegun = true;
    ahead = old?.ready() ?? (await old?.next());
    aheadPath = ahead === undefined ? undefined : pathOf(ahead);
  };
  return {
    async take(path) {
      if (!isBegun) await next();
      const key = walkOrder(path);
      // Tests that the walk has passed do not exist any more.
      while (ahead !== undefined && walkOrder(aheadPath ?? '') < key) {
        isChanged = true;
        await next();
      }
      if (ahead === undefined || aheadPath !== path) return undefined;
      const line = ahead;
      await next();
      const record = parseRecord(line.slice(line.indexOf('\t') + 1));
      return record ? { line, record } : undefined;
    },
    put(path, record) {
      if ('line' in record) return output.write(`${record.line}\n`);
      isChanged = true;
      output.write(`${JSON.stringify(path)}\t${JSON.stringify(record)}\n`);
    },
    async finish(isPartial) {
      if (!isBegun) await next();
      for (; ahead !== undefined; await next()) {
        if (isPartial) output.write(`${ahead}\n`);
        else isChanged = true;
      }
      if (isChanged) output.finish();
      writer.discard();
    },
    discard() {
      writer.discard();
      // Closes the file; nothing depends on it.
      void old?.close();
    },
  };
}

/** Lines of a cache with this header; undefined for any other. */
async function openCachedLines(path: string, header: string, disk: Disk): Promise<CachedLines | undefined> {
  const blocks = await disk.readLineBlocks(path);
  if (!blocks) return undefined;
  const lines = createLineReader(blocks[Symbol.asyncIterator]());
  if ((await lines.next()) === header) return lines;
  await lines.close();
  return undefined;
}

interface CachedLines {
  /** The next line if it is in memory, without waiting. */
  ready(): string | undefined;
  next(): Promise<string | undefined>;
  close(): Promise<void>;
}

function createLineReader(blocks: AsyncIterator<readonly string[]>): CachedLines {
  let lines: readonly string[] = [];
  let at = 0;
  const ready = () => lines[at++];
  return {
    ready,
    async next() {
      for (let line = ready(); ; line = ready()) {
        if (line !== undefined) return line;
        const step = await blocks.next();
        if (step.done) return undefined;
        lines = step.value;
        at = 0;
      }
    },
    close: async () => void (await blocks.return?.()),
  };
}

/** Sorts as text in the order of the walk: a folder before folders whose names begin with its name. */
function walkOrder(path: string): string {
  return path.replaceAll('/', '\0');
}

function pathOf(line: string): string | undefined {
  try {
    const path: unknown = JSON.parse(line.slice(0, line.indexOf('\t')));
    return typeof path === 'string' ? path : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface BlockWriter {
  write(text: string): void;
  finish(): void;
}

function createBlockWriter(
  writer: FileWriter,
  begin: string,
  onFailure: (error: unknown) => void,
): BlockWriter {
  let waiting = [begin];
  let length = 0;
  let isUsable = true;
  const attempt = (work: () => void) => {
    try {
      if (isUsable) work();
    } catch (error) {
      isUsable = false;
      onFailure(error);
    }
  };
  const flush = () => {
    attempt(() => writer.write(waiting.join('')));
    waiting = [];
    length = 0;
  };
  return {
    write(text) {
      waiting.push(text);
      length += text.length;
      if (length > BLOCK) flush();
    },
    finish() {
      flush();
      attempt(() => writer.finish());
    },
  };
}

/** Why there is no cache, for disk errors; rethrows others. */
export function cacheFailureReason(error: unknown): string {
  if (error instanceof NightmarkError && error.code.startsWith('DISK_')) return error.message;
  throw error;
}

/** The cached data of one test directory, in two parts that are invalidated separately. */
export interface CacheRecord {
  readonly head: CachedHead;
  /** Absent: it was not parsed, because it did not end or was filtered out. */
  readonly body?: CachedBody;
}

/** The content of its settings files and its exit code. */
export interface CachedHead {
  readonly seen: Fingerprints;
  /** Times of the folder: while they are the same, it has the same names in it. */
  readonly folder: ObservedTimes;
  readonly settings: Settings;
  readonly problems: readonly string[];
  /** The exit code, or why the test does not count. */
  readonly exit: number | string;
  readonly isBroken?: boolean;
}

/** The fields that the workload read. */
export interface CachedBody {
  readonly seen: Fingerprints;
  /** Hash of the settings and exit code that the workload was given. */
  readonly given: string;
  /** Artifact folders by their names. */
  readonly artifacts: Readonly<Record<string, string>>;
  readonly fields: JsonObject;
  readonly problems: readonly string[];
}

/** Undefined for an invalid record: a broken cache is not an error. */
function parseRecord(text: string): CacheRecord | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isJsonObject(value) || !isHead(value['head'])) return undefined;
    if (value['body'] !== undefined && !isBody(value['body'])) return undefined;
    return value as unknown as CacheRecord; // checked above
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isHead(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { seen, folder, settings, problems, exit } = value;
  const hasExit = typeof exit === 'number' || typeof exit === 'string';
  if (!isJsonObject(folder) || ![folder['at'], folder['modifiedAt'], folder['changedAt']].every(isNumber))
    return false;
  return isFingerprints(seen) && isJsonObject(settings) && isTexts(problems) && hasExit;
}

function isBody(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { seen, given, artifacts, fields, problems } = value;
  if (!isFingerprints(seen) || typeof given !== 'string' || !isTexts(problems) || !isJsonObject(fields))
    return false;
  return isJsonObject(artifacts) && isTexts(Object.values(artifacts));
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number';
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
