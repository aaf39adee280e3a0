import { messageOf, NightmarkError } from '../../core/errors.ts';
import { ServerBusy } from '../../core/server-busy.ts';
import type { CancelSignal } from '../../core/signal.ts';
import { retryAfterMs } from '../../core/text/retry-after.ts';

export interface WebRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedHosts: readonly string[];
  /** A signed request cannot be sent elsewhere. */
  readonly followsRedirects: boolean;
  readonly signal: CancelSignal;
  readonly idleMs?: number | undefined;
}

export interface WebAnswer {
  readonly status: number;
  /** After redirects. */
  readonly url: URL;
  header(name: string): string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
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
    if (target === undefined) return checked(answer);
    await discard(answer);
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

/** The whole answer, up to a limit. */
export async function textOf(answer: WebAnswer, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.bytes) {
    size += part.length;
    if (size > maxBytes) throw refused(answer.url, `its listing has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

export function refused(url: URL, why: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_REFUSED', `${shown(url)}: ${why}.`, {
    hint: 'Look at the address with a browser or curl -i.',
  });
}

export function unreachable(url: URL, why: string, cause?: unknown): NightmarkError {
  return new NightmarkError('DOWNLOAD_UNREACHABLE', `${shown(url)}: ${why}.`, {
    hint: 'Try again later: what is complete is not fetched again, and what was begun goes on.',
    cause,
  });
}

/** Queries may carry keys. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

async function ask(url: URL, { headers, signal, idleMs = IDLE_MS }: WebRequest): Promise<WebAnswer> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  // An answer that nobody reads must not hold up the end of the program.
  const timer = setTimeout(stop, idleMs).unref();
  const close = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  const explain = (error: unknown) => {
    if (signal.aborted) return new NightmarkError('DOWNLOAD_INTERRUPTED', 'The download was interrupted.');
    const why = abort.signal.aborted ? `no answer for ${idleMs / 1000} s` : reasonOf(error);
    return isCertificate(error) ? untrusted(url, why) : unreachable(url, why, error);
  };
  try {
    const response = await fetch(url, {
      // What is packed on the way has another size than the file.
      headers: { 'accept-encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: abort.signal,
    });
    const body = response.body as AsyncIterable<Uint8Array> | null;
    const bytes = watched(body, { touch: () => timer.refresh(), close, explain });
    return { status: response.status, url, header: (name) => response.headers.get(name) ?? undefined, bytes };
  } catch (error) {
    close();
    throw explain(error);
  }
}

interface Watch {
  touch(): void;
  close(): void;
  explain(error: unknown): NightmarkError;
}

async function* watched(body: AsyncIterable<Uint8Array> | null, watch: Watch): AsyncGenerator<Uint8Array> {
  try {
    if (body === null) return;
    for await (const part of body) {
      watch.touch();
      yield part;
    }
  } catch (error) {
    throw error instanceof NightmarkError ? error : watch.explain(error);
  } finally {
    watch.close();
  }
}

async function checked(answer: WebAnswer): Promise<WebAnswer> {
  const { status, url } = answer;
  if (status < 300) return answer;
  await discard(answer);
  if (status === 408 || status === 429 || status >= 500) {
    const wait = retryAfterMs(answer.header('retry-after'), Date.now());
    const busy = wait === undefined ? undefined : new ServerBusy(wait);
    throw unreachable(url, `the server says ${status}`, busy);
  }
  throw refused(url, `the server says ${status}`);
}

/** Lets go of the connection. */
async function discard({ bytes }: WebAnswer): Promise<void> {
  for await (const _ of bytes) break;
}

function isCertificate(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS/.test(code ?? '');
}

function untrusted(url: URL, why: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_REFUSED', `${shown(url)}: its certificate cannot be trusted: ${why}.`, {
    hint: 'For a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  });
}

function reasonOf(error: unknown): string {
  const cause = (error as Error | undefined)?.cause;
  return messageOf(cause ?? error) || 'no connection';
}
