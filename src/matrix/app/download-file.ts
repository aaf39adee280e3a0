import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { ServerBusy } from '../../platform/core/retry-after.ts';
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

/** Downloads one file, or the rest of it. What arrived before a failure is kept for the next try. */
export async function downloadFile(request: FileRequest, effects: DownloadEffects): Promise<DownloadedFile> {
  const { target } = request;
  const part = await effects.target.openPart(target);
  const received = { size: part.size, tag: part.tag };
  try {
    let resumedAt = received.size;
    const bytes = await withRetries(async () => {
      const resume =
        received.tag !== undefined && received.size > 0
          ? { offset: received.size, tag: received.tag }
          : undefined;
      const file = await openFile(request, resume);
      if (file.offset === 0) {
        resumedAt = 0;
        Object.assign(received, { size: 0, tag: file.tag });
        await part.restart(file.tag);
      }
      await receive(file, { part, received, request });
      return received.size;
    }, effects);
    await part.finish();
    return { path: target, state: 'fetched', bytes, ...(resumedAt > 0 && { resumedAt }) };
  } finally {
    await part.close();
  }
}

/** Requests the whole file where the server cannot send the rest (416). */
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

interface Transfer {
  readonly part: PartialFile;
  readonly received: { size: number; tag: string | undefined };
  readonly request: FileRequest;
}

async function receive({ size, bytes }: RemoteFile, { part, received, request }: Transfer): Promise<void> {
  const { budget, target } = request;
  for await (const piece of bytes) {
    const rest = size === undefined ? piece.length : size - received.size;
    if (rest > budget.left) throw tooLarge(target);
    budget.left -= piece.length;
    if (size !== undefined && received.size + piece.length > size) throw wrongSize(target, size);
    await part.append(piece);
    received.size += piece.length;
  }
  if (size !== undefined && received.size !== size) throw wrongSize(target, size);
}

function tooLarge(target: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_TOO_LARGE', `${target} exceeds the size limit of the download.`, {
    hint: 'Raise --max-size, or download less: --mode important. Complete files are kept.',
  });
}

function wrongSize(target: string, size: number): NightmarkError {
  return new NightmarkError(
    'DOWNLOAD_UNREACHABLE',
    `${target} should have ${size} bytes, but another number arrived.`,
    {
      hint: 'The file may be changing on the server; try again.',
    },
  );
}

const TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 16_000;

/** Retries with growing pauses, or when the server says, as long as a retry may help. */
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
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS);
      const retryAfter = error.cause instanceof ServerBusy ? error.cause.retryAfterMs : 0;
      await clock.sleep(Math.max(backoff, retryAfter), signal);
    }
  }
}

export interface DownloadEffects {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: CancelSignal;
  readonly target: DownloadTarget;
  openRemote(url: string): Promise<RemoteFolder>;
  /** Called when a file is finished, or failed. */
  onFile(file: DownloadedFile): void;
}

export interface DownloadedFile {
  /** Relative to the folder of results. */
  readonly path: string;
  /** planned: it would be downloaded. kept: it exists already. refused: its name or location is not acceptable. */
  readonly state: 'planned' | 'fetched' | 'kept' | 'refused' | 'failed';
  /** Size of the file; absent where it is unknown. */
  readonly bytes?: number;
  /** Bytes of an earlier download. */
  readonly resumedAt?: number;
  readonly reason?: string;
}

/** How many bytes may still be downloaded. */
export interface Budget {
  left: number;
}
