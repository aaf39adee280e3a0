import { type HttpAnswer, HttpFailure, readText, send, shownUrl } from '../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { ServerBusy } from '../../../platform/core/retry-after.ts';
import type { RemoteFile, Resume } from '../../core/remote-folder.ts';

export interface WebRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedHosts: readonly string[];
  /** A signed request cannot be redirected. */
  readonly followsRedirects: boolean;
  readonly signal: CancelSignal;
  readonly idleMs?: number | undefined;
}

export interface WebAnswer extends Pick<HttpAnswer, 'status' | 'header' | 'bytes'> {
  /** After redirects. */
  readonly url: URL;
  /** The whole answer, up to a limit. */
  text(maxBytes: number): Promise<string>;
}

const IDLE_MS = 60_000;
const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** One GET. Redirects stay on the host unless another one is allowed; certificates are checked. */
export async function webGet(url: URL, request: WebRequest): Promise<WebAnswer> {
  let at = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await sendGet(at, request);
    const target = REDIRECTS.includes(answer.status) ? answer.header('location') : undefined;
    if (target === undefined) return requireSuccess(answer, at);
    answer.close();
    if (!request.followsRedirects) throw refusedError(at, `it answers with a redirect to ${target}`);
    const next = new URL(target, at);
    requireAllowedHost(next, url, request.allowedHosts);
    at = next;
  }
  throw refusedError(url, `it redirects more than ${MOST_REDIRECTS} times`);
}

/** Throws unless the address is on the host of the first one, or on one that is allowed. */
export function requireAllowedHost(url: URL, home: URL, allowed: readonly string[]): void {
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && home.protocol === 'http:');
  if (!isWeb) {
    throw new NightmarkError(
      'DOWNLOAD_OTHER_HOST',
      `${home.host} redirects to ${url.href}, which is less secure.`,
      {
        hint: 'Nothing was downloaded from there. Give that address yourself, if you trust it.',
      },
    );
  }
  const isHome = url.host === home.host || (url.hostname === home.hostname && url.port === '');
  if (isHome || allowed.includes(url.host) || allowed.includes(url.hostname)) return;
  throw new NightmarkError('DOWNLOAD_OTHER_HOST', `${home.host} redirects to another host: ${url.href}.`, {
    hint: `If you trust it: --allow-host ${url.host}`,
  });
}

export function refusedError(url: URL, why: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_REFUSED', `${shownUrl(url)}: ${why}.`, {
    hint: 'Check the address with a browser or curl -i.',
  });
}

async function sendGet(url: URL, { headers, signal, idleMs = IDLE_MS }: WebRequest): Promise<HttpAnswer> {
  // A compressed answer has another size than the file.
  const all = { accept: '*/*', 'accept-encoding': 'identity', ...headers };
  return withErrors(url, () => send({ url, headers: all, idleMs, signal }));
}

function requireSuccess(answer: HttpAnswer, url: URL): WebAnswer {
  const { status, retryAfterMs, header } = answer;
  if (status < 300) {
    return {
      status,
      url,
      header,
      bytes: bytesWithErrors(url, answer.bytes),
      text: (maxBytes) => withErrors(url, () => readText(answer, maxBytes)),
    };
  }
  answer.close();
  if (status === 408 || status === 429 || status >= 500) {
    const busy = retryAfterMs === undefined ? undefined : new ServerBusy(retryAfterMs);
    throw unreachableError(url, `the server answered ${status}`, busy);
  }
  throw refusedError(url, `the server answered ${status}`);
}

async function withErrors<T>(url: URL, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toNightmarkError(error, url);
  }
}

async function* bytesWithErrors(url: URL, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw toNightmarkError(error, url);
  }
}

function toNightmarkError(error: unknown, url: URL): unknown {
  if (!(error instanceof HttpFailure)) return error;
  const { problem, message } = error;
  if (problem === 'interrupted')
    return new NightmarkError('DOWNLOAD_INTERRUPTED', 'The download was interrupted.');
  if (problem === 'too-large') return refusedError(url, message);
  if (problem !== 'certificate') return unreachableError(url, message, error);
  return new NightmarkError(
    'DOWNLOAD_REFUSED',
    `${shownUrl(url)}: its certificate is not trusted: ${message}.`,
    { hint: 'For a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem' },
  );
}

function unreachableError(url: URL, why: string, cause: unknown): NightmarkError {
  return new NightmarkError('DOWNLOAD_UNREACHABLE', `${shownUrl(url)}: ${why}.`, {
    hint: 'Try again later: complete files are not downloaded again, and partial ones are resumed.',
    cause,
  });
}

/** An answer with a file, or a part of it. */
interface FileAnswer {
  readonly status: number;
  readonly url: URL;
  header(name: string): string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Requests the rest of a file, if it is unchanged. */
export function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  return resume === undefined ? {} : { range: `bytes=${resume.offset}-`, 'if-range': resume.tag };
}

/** The file of an answer. */
export function toRemoteFile(answer: FileAnswer, resume: Resume | undefined): RemoteFile {
  const tag = tagOf(answer);
  const tagged = tag === undefined ? {} : { tag };
  if (answer.status !== 206) {
    const size = wholeNumber(answer.header('content-length'));
    return { offset: 0, ...(size !== undefined && { size }), ...tagged, bytes: answer.bytes };
  }
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.header('content-range') ?? '') ?? [];
  if (resume === undefined || Number(start) !== resume.offset) {
    const { origin, pathname } = answer.url;
    throw new NightmarkError(
      'DOWNLOAD_REFUSED',
      `${origin}${pathname}: the server sent another part of the file than requested.`,
    );
  }
  return { offset: resume.offset, size: Number(total), tag: resume.tag, bytes: answer.bytes };
}

/** A weak ETag does not guarantee equal bytes; the modification time is less exact, but better than nothing. */
function tagOf(answer: FileAnswer): string | undefined {
  const etag = answer.header('etag');
  if (etag !== undefined && !etag.startsWith('W/')) return etag;
  return answer.header('last-modified');
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
