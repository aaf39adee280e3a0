import { authorization, exchange, type HttpText } from '../../platform/adapters/http.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { LineSender } from '../client/line-senders.ts';

export interface QueryServer {
  /** http://HOST:PORT, with an optional path; that of /write is fine. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly answerMs?: number;
}

const ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** POST /query of InfluxDB 1.x. Throws an HttpFailure without a response. */
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

/** A quoted identifier of InfluxQL. */
export function quotedName(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Where the lines go; undefined for UDP, whose packets name no database. */
export interface DatabasePlace {
  /** http://HOST:PORT, with a path below which /query lies if there is one. */
  readonly url: string;
  readonly database: string;
  readonly token?: string;
}

/** A sender that creates a missing database, and sends once more. */
export function creatingSender(sender: LineSender, place: DatabasePlace): LineSender {
  let isTried = false;
  return {
    ...sender,
    async send(text) {
      const delivery = await sender.send(text);
      const isMissing = delivery.state === 'failed' && /^404 database not found/.test(delivery.message);
      if (!isMissing || isTried) return delivery;
      isTried = true;
      const problem = await createDatabase(place);
      if (problem === undefined) return sender.send(text);
      return { state: 'failed', message: `${delivery.message}; it cannot be created: ${problem}` };
    },
  };
}

/** The error message; undefined when it was created. */
async function createDatabase({ database, ...server }: DatabasePlace): Promise<string | undefined> {
  try {
    const { status, text } = await postQuery(server, { q: `CREATE DATABASE ${quotedName(database)}` });
    const { results } = (text === '' ? {} : JSON.parse(text)) as { results?: readonly { error?: string }[] };
    return status >= 200 && status < 300 ? results?.[0]?.error : `status ${status}`;
  } catch (error) {
    return messageOf(error);
  }
}
