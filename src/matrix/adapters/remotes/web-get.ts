import { type HttpAnswer, HttpFailure, readText, send, shownUrl } from '../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { ServerBusy } from '../../../platform/core/retry-after.ts';

export interface WebRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedHosts: readonly string[];
  /** A signed request cannot be sent elsewhere. */
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
    const answer = await ask(at, request);
    const target = REDIRECTS.includes(answer.status) ? answer.header('location') : undefined;
    if (target === undefined) return checked(answer, at);
    answer.close();
    if (!request.followsRedirects) throw refused(at, `it answers with a redirect to ${target}`);
    const next = new URL(target, at);
    refuseOtherHost(next, url, request.allowedHosts);
    at = next;
  }
  throw refused(url, `it redirects more than ${MOST_REDIRECTS} times`);
}

/** Throws unless the address is on the host of the first one, or on one that is allowed. */
export function refuseOtherHost(url: URL, home: URL, allowed: readonly string[]): void {
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && home.protocol === 'http:');
  if (!isWeb) {
    throw new NightmarkError(
      'DOWNLOAD_OTHER_HOST',
      `${home.host} leads to ${url.href}, which is not as safe.`,
      {
        hint: 'Nothing was fetched from there. Give that address itself, if it is meant.',
      },
    );
  }
  const isHome = url.host === home.host || (url.hostname === home.hostname && url.port === '');
  if (isHome || allowed.includes(url.host) || allowed.includes(url.hostname)) return;
  throw new NightmarkError('DOWNLOAD_OTHER_HOST', `${home.host} leads to another host: ${url.href}.`, {
    hint: `If you trust it: --allow-host ${url.host}`,
  });
}

export function refused(url: URL, why: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_REFUSED', `${shownUrl(url)}: ${why}.`, {
    hint: 'Look at the address with a browser or curl -i.',
  });
}

async function ask(url: URL, { headers, signal, idleMs = IDLE_MS }: WebRequest): Promise<HttpAnswer> {
  // What is packed on the way has another size than the file.
  const all = { accept: '*/*', 'accept-encoding': 'identity', ...headers };
  return explained(url, () => send({ url, headers: all, idleMs, signal }));
}

function checked(answer: HttpAnswer, url: URL): WebAnswer {
  const { status, retryAfterMs, header } = answer;
  if (status < 300) {
    return {
      status,
      url,
      header,
      bytes: explainedBytes(url, answer.bytes),
      text: (maxBytes) => explained(url, () => readText(answer, maxBytes)),
    };
  }
  answer.close();
  if (status === 408 || status === 429 || status >= 500) {
    const busy = retryAfterMs === undefined ? undefined : new ServerBusy(retryAfterMs);
    throw unreachable(url, `the server says ${status}`, busy);
  }
  throw refused(url, `the server says ${status}`);
}

async function explained<T>(url: URL, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toNightmarkError(error, url);
  }
}

async function* explainedBytes(url: URL, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
  if (problem === 'too-large') return refused(url, message);
  if (problem !== 'certificate') return unreachable(url, message, error);
  return new NightmarkError(
    'DOWNLOAD_REFUSED',
    `${shownUrl(url)}: its certificate cannot be trusted: ${message}.`,
    { hint: 'For a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem' },
  );
}

function unreachable(url: URL, why: string, cause: unknown): NightmarkError {
  return new NightmarkError('DOWNLOAD_UNREACHABLE', `${shownUrl(url)}: ${why}.`, {
    hint: 'Try again later: what is complete is not fetched again, and what was begun goes on.',
    cause,
  });
}
