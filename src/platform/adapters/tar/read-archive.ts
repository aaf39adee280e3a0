import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as tarExtract } from 'tar-stream';
import type { ArchiveEntry } from '../../core/archiver.ts';
import type { CancelSignal } from '../../core/cancel-signal.ts';
import { NightmarkError } from '../../core/errors.ts';
import { damaged, refuseCancelled, systemFailure } from './tar-failures.ts';
import { entryType, type TarHeader } from './tar-header.ts';

/** Content of one entry; a caller need not read it. */
export type EntryContent = AsyncIterable<Buffer>;

interface ReadRequest {
  readonly file: string;
  readonly signal?: CancelSignal | undefined;
  readonly onEntry: (header: TarHeader, content: EntryContent) => Promise<void> | void;
}

/** Reads an archive from its first to its last byte, one entry after the other. */
export async function readEntries({ file, signal, onEntry }: ReadRequest): Promise<void> {
  const extract = tarExtract();
  const tail = new Tail();
  const fed = pipeline(
    createReadStream(file, { highWaterMark: 256 * 1024 }),
    createGunzip({ chunkSize: 256 * 1024 }),
    tail.watch,
    extract,
  );
  const ended = fed.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  let isOurs = false;
  try {
    for await (const entry of extract) {
      isOurs = true;
      refuseCancelled(signal, file);
      await onEntry(entry.header as TarHeader, entry as EntryContent);
      isOurs = false;
      entry.resume();
    }
  } catch (error) {
    extract.destroy();
    const cause = (await ended)?.error;
    // The stream of entries knows only that it ended early; the file's own trouble is the cause.
    throw isOurs ? error : explainReading(file, cause ?? error);
  }
  const cause = (await ended)?.error;
  if (cause !== undefined) throw explainReading(file, cause);
  if (!tail.isEndOfTar) throw damaged(file, new Error('the end of the archive is missing'));
}

/** The file's own trouble, as one that a person can act on. */
function explainReading(file: string, error: unknown): Error {
  if (error instanceof NightmarkError) return error;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && !code.startsWith('Z_') ? systemFailure(file, error) : damaged(file, error);
}

/** Two empty blocks end a tar; without them it was cut off between two entries, which nothing else shows. */
class Tail {
  #last = Buffer.alloc(0);

  readonly watch = async function* (this: Tail, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#last = Buffer.concat([this.#last, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES);
      yield chunk;
    }
  }.bind(this);

  get isEndOfTar(): boolean {
    return this.#last.byteLength === END_BYTES && this.#last.every((byte) => byte === 0);
  }
}

const END_BYTES = 1024;

export async function listArchive(file: string, signal?: CancelSignal): Promise<readonly ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  await readEntries({ file, signal, onEntry: (header) => void entries.push(toEntry(header)) });
  return entries;
}

function toEntry(header: TarHeader): ArchiveEntry {
  const { name: path, size = 0, linkname } = header;
  const type = entryType(header);
  return { path, type, size, ...(type === 'link' && linkname ? { linkTarget: linkname } : {}) };
}

const BLOCK_BYTES = 256 * 1024;

/** Unpacks to nowhere: gzip itself compares checksum and length at the end. */
export async function contentBytes(file: string, signal?: CancelSignal): Promise<number> {
  let bytes = 0;
  const source = createReadStream(file, { highWaterMark: BLOCK_BYTES });
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  try {
    await pipeline(source, gunzip, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        refuseCancelled(signal, file);
        bytes += chunk.byteLength;
      }
    });
  } catch (error) {
    throw explainReading(file, error);
  }
  return bytes;
}
