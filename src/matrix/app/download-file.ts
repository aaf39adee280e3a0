import type { Clock } from '../../platform/core/clock.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { ServerBusy } from '../../platform/core/server-busy.ts';
import type { CancelSignal } from '../../platform/core/signal.ts';
import type { DownloadTarget, PartialFile } from '../core/download-target.ts';
import type { RemoteFile, RemoteFolder, Resume } from '../core/remote-folder.ts';

export interface FileRequest {
  readonly remote: RemoteFolder;
  /** Relative to the address. */
  readonly path: string;
  /** Relative to the folder of results. */
  readonly target: string;
  readonly budget: Budget;
}

/** Fetches one file, or the rest of it. What came before a failure is kept for the next try. */
export async function downloadFile(request: FileRequest, effects: DownloadEffects): Promise<DownloadedFile> {
  const { target } = request;
  const part = await effects.target.openPart(target);
  const begun = { size: part.size, tag: part.tag };
  try {
    let resumedAt = begun.size;
    const bytes = await withRetries(async () => {
      const resume =
        begun.tag !== undefined && begun.size > 0 ? { offset: begun.size, tag: begun.tag } : undefined;
      const file = await openFile(request, resume);
      if (file.offset === 0) {
        resumedAt = 0;
        Object.assign(begun, { size: 0, tag: file.tag });
        await part.restart(file.tag);
      }
      await receive(file, { part, begun, request });
      return begun.size;
    }, effects);
    await part.finish();
    return { path: target, state: 'fetched', bytes, ...(resumedAt > 0 && { resumedAt }) };
  } finally {
    await part.close();
  }
}

/** A server that cannot give the rest (416, when there is none) is asked for the whole. */
async function openFile({ remote, path }: FileRequest, resume: Resume | undefined): Promise<RemoteFile> {
  try {
    return await remote.open(path, resume);
  } catch (error) {
    const isRange =
      resume !== undefined && error instanceof NightmarkError && error.code === 'DOWNLOAD_REFUSED';
    if (isRange) return remote.open(path);
    throw error;
  }
}

interface Receiving {
  readonly part: PartialFile;
  readonly begun: { size: number; tag: string | undefined };
  readonly request: FileRequest;
}

async function receive({ size, bytes }: RemoteFile, { part, begun, request }: Receiving): Promise<void> {
  const { budget, target } = request;
  for await (const piece of bytes) {
    const rest = size === undefined ? piece.length : size - begun.size;
    if (rest > budget.left) throw tooMuch(target);
    budget.left -= piece.length;
    if (size !== undefined && begun.size + piece.length > size) throw wrongSize(target, size);
    await part.append(piece);
    begun.size += piece.length;
  }
  if (size !== undefined && begun.size !== size) throw wrongSize(target, size);
}

function tooMuch(target: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_TOO_LARGE', `${target} does not fit into what may be fetched.`, {
    hint: 'Raise --max-size, or fetch less: --mode important. What is complete is kept.',
  });
}

function wrongSize(target: string, size: number): NightmarkError {
  return new NightmarkError(
    'DOWNLOAD_UNREACHABLE',
    `${target} should have ${size} bytes, but other ones came.`,
    {
      hint: 'The file may be changing on the server; try again.',
    },
  );
}

const TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 16_000;

/** Tries again, later and later or when the server said, as long as it may help. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { clock, signal }: Pick<DownloadEffects, 'clock' | 'signal'>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const mayHelp = error instanceof NightmarkError && error.code === 'DOWNLOAD_UNREACHABLE';
      if (!mayHelp || tried >= TRIES || signal.aborted) throw error;
      const growing = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS);
      const asked = error.cause instanceof ServerBusy ? error.cause.retryAfterMs : 0;
      await clock.sleep(Math.max(growing, asked), signal);
    }
  }
}

/** What fetching a tree needs of the world. */
export interface DownloadEffects {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: CancelSignal;
  readonly target: DownloadTarget;
  openRemote(url: string): Promise<RemoteFolder>;
  /** A file is finished, or was given up. */
  onFile(file: DownloadedFile): void;
}

export interface DownloadedFile {
  /** Relative to the folder of results. */
  readonly path: string;
  /** planned: it would be fetched. kept: it is there already. refused: its name or place is not acceptable. */
  readonly state: 'planned' | 'fetched' | 'kept' | 'refused' | 'failed';
  /** Bytes of the file; what is not known is absent. */
  readonly bytes?: number;
  /** Bytes that were there from an earlier time. */
  readonly resumedAt?: number;
  readonly reason?: string;
}

/** How many bytes may still come. */
export interface Budget {
  left: number;
}
