import { authorization, exchange, type HttpText } from '../../platform/adapters/http.ts';

export interface QueryServer {
  /** http://HOST:PORT, with a path if there is one; that of /write will do. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly answerMs?: number;
}

const ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** POST /query of InfluxDB 1.x. Throws an HttpFailure when there is no answer. */
export function postQuery(
  { url, token, answerMs = ANSWER_MS }: QueryServer,
  form: Readonly<Record<string, string>>,
): Promise<HttpText> {
  const address = new URL(url);
  address.search = '';
  address.pathname = `${address.pathname.replace(/\/+$/, '').replace(/\/write$/, '')}/query`;
  return exchange({
    method: 'POST',
    url: address,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...authorization(token === undefined ? {} : { token }, 'Bearer'),
    },
    body: new URLSearchParams(form).toString(),
    totalMs: answerMs,
    maxBytes: MAX_ANSWER_BYTES,
    isCut: true,
  });
}

/** A name as InfluxQL wants it. */
export function quotedName(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
