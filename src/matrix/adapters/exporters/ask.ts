import {
  excerpt,
  exchange,
  HttpFailure,
  type HttpRequest,
  type HttpText,
  shownUrl,
  withRetries,
} from '../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';

export interface ExportRequest extends Pick<HttpRequest, 'method' | 'url'> {
  readonly body?: string;
  /** JSON unless told. */
  readonly type?: string;
}

/** Who asks, and how far the server is trusted. */
export interface ExportAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates to trust instead of those of Node, as PEM. */
  readonly ca?: string;
  readonly isInsecure: boolean;
  /** First pause before a request is tried again; it doubles each time. */
  readonly pauseMs: number;
}

export type ExportAnswer = Pick<HttpText, 'status' | 'text'>;

const TRIES = 5;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_SAID = 200;

/** Asks a server, again while it is busy. Every answer is handed over but a refusal of our credentials. */
export async function ask(
  { method, url, body, type = 'application/json' }: ExportRequest,
  { headers, ca, isInsecure, pauseMs }: ExportAccess,
  signal: CancelSignal,
): Promise<ExportAnswer> {
  const request = {
    ...(method && { method }),
    url,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
    connection: { rejectUnauthorized: !isInsecure, ...(ca !== undefined && { ca }) },
    signal,
    maxBytes: MAX_ANSWER_BYTES,
  };
  const answer = await withRetries(() => exchange(request), {
    passes: (status) => BUSY.has(status),
    givesUp: (tries) => tries === TRIES,
    firstPauseMs: pauseMs,
    signal,
  }).catch((error: unknown) => {
    throw error instanceof HttpFailure ? unreachable(error, url) : error;
  });
  if (answer.status === 401 || answer.status === 403) throw refusedCredentials(url, answer);
  return answer;
}

/** An answer that nothing can be done with. */
export function unexpectedAnswer(url: URL, { status, text }: ExportAnswer): NightmarkError {
  return new NightmarkError(
    'EXPORT_FAILED',
    `${shownUrl(url)} answered ${status}${excerpt(text, MAX_SAID)}.`,
    { hint: 'Is it the address of the right server? Redirections are not followed.' },
  );
}

function refusedCredentials(url: URL, { status, text }: ExportAnswer): NightmarkError {
  return new NightmarkError(
    'EXPORT_DENIED',
    `${shownUrl(url)} refuses us (${status}${excerpt(text, MAX_SAID)}).`,
    {
      hint: 'Give user and password, or a token, by --user-env, --password-env, --token-env or --secret-file.',
    },
  );
}

function unreachable(cause: HttpFailure, url: URL): NightmarkError {
  const shown = shownUrl(url);
  if (cause.problem === 'interrupted') {
    return new NightmarkError('EXPORT_INTERRUPTED', `Talking to ${shown} was interrupted.`, {
      hint: 'Do it again: what was sent is replaced by itself.',
    });
  }
  if (cause.problem === 'certificate') {
    return new NightmarkError(
      'EXPORT_CERTIFICATE',
      `The certificate of ${shown} is not trusted: ${cause.message}`,
      { hint: 'Give the certificate of its authority by --ca FILE; --insecure turns the check off.', cause },
    );
  }
  return new NightmarkError('EXPORT_UNREACHABLE', `${shown} cannot be reached: ${cause.message}`, {
    hint: 'Is the address right, and does the server run?',
    cause,
  });
}
