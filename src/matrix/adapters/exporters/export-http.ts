import { readFile } from 'node:fs/promises';
import {
  authorization,
  excerpt,
  exchange,
  HttpFailure,
  type HttpRequest,
  type HttpText,
  httpUrl,
  shownUrl,
  withRetries,
} from '../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { ExportTarget } from '../../core/exporter.ts';

export interface ExportRequest extends Pick<HttpRequest, 'method' | 'url'> {
  readonly body?: string;
  /** Default: JSON. */
  readonly type?: string;
}

/** Credentials, and how far the server is trusted. */
export interface ExportAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates to trust instead of those of Node, as PEM. */
  readonly ca?: string;
  readonly isInsecure: boolean;
  /** Pause before the first retry; it doubles each time. */
  readonly pauseMs: number;
}

export type ExportAnswer = Pick<HttpText, 'status' | 'text'>;

const TRIES = 5;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_EXCERPT = 200;

/** Sends a request, with retries while the server is busy. Every answer is returned, except a refusal of the credentials. */
export async function exportRequest(
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

/** An answer that the exporter does not expect. */
export function unexpectedAnswer(url: URL, { status, text }: ExportAnswer): NightmarkError {
  return new NightmarkError(
    'EXPORT_FAILED',
    `${shownUrl(url)} answered ${status}${excerpt(text, MAX_EXCERPT)}.`,
    { hint: 'Is it the address of the right server? Redirections are not followed.' },
  );
}

function refusedCredentials(url: URL, { status, text }: ExportAnswer): NightmarkError {
  return new NightmarkError(
    'EXPORT_DENIED',
    `${shownUrl(url)} refused the credentials (${status}${excerpt(text, MAX_EXCERPT)}).`,
    {
      hint: 'Give user and password, or a token, by --user-env, --password-env, --token-env or --secret-file.',
    },
  );
}

function unreachable(cause: HttpFailure, url: URL): NightmarkError {
  const shown = shownUrl(url);
  if (cause.problem === 'interrupted') {
    return new NightmarkError('EXPORT_INTERRUPTED', `The request to ${shown} was interrupted.`, {
      hint: 'Run it again: what was sent is replaced by the same documents.',
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

const PAUSE_MS = 500;

/** Credentials and certificates of a target. `scheme` is the authorization scheme of its tokens. */
export async function readAccess(
  { options, secrets }: ExportTarget,
  scheme = 'Bearer',
): Promise<ExportAccess> {
  const ca = options['ca'] === undefined ? {} : { ca: await readCertificate(options['ca']) };
  return {
    headers: authorization(secrets, scheme),
    ...ca,
    isInsecure: options['insecure'] === 'true',
    pauseMs: Number(options['pauseMs'] ?? PAUSE_MS),
  };
}

/** The address of a server. It must not contain a secret, which would be in the shell history and in logs. */
export function serverUrl({ place }: ExportTarget): URL {
  const url = httpUrl(place);
  if (url === undefined) {
    throw new NightmarkError('EXPORT_BAD_ADDRESS', `Invalid address: ${place} is not an http or https URL.`, {
      hint: 'For example: opensearch:https://search.example.org:9200#my-index',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new NightmarkError(
      'EXPORT_SECRET_IN_ADDRESS',
      `The address of ${url.host} has a user or a password.`,
      {
        hint: 'Give them by --user-env and --password-env, or --secret-file.',
      },
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '/').replace(/([^/])$/, '$1/');
  return url;
}

/** The name after "#": an index, a test, a database. */
export function requiredName({ options, place }: ExportTarget, what: string): string {
  const name = options['name'] ?? '';
  if (name !== '') return name;
  throw new NightmarkError('EXPORT_NO_NAME', `${place} lacks the name of the ${what}.`, {
    hint: `Add it to the address: ${place}#my-${what}`,
  });
}

async function readCertificate(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NightmarkError(
      'EXPORT_NO_SOURCE',
      `The certificate ${path} cannot be read: ${messageOf(cause)}`,
      {
        hint: 'Check --ca.',
        cause,
      },
    );
  }
}
