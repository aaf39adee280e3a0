import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Delivery } from '../core/ports/line-sink.ts';
import type { LineSender } from './line-sender.ts';

const BATCH_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
/** Answers are one line of JSON; more of one is not kept. */
const MOST_OF_ANSWER = 2_000;

/** What a sender over HTTP needs to know. */
export interface HttpTarget {
  /** http://HOST:PORT, with a path below which /write lies if there is one. */
  readonly url: string;
  readonly database: string;
  readonly token?: string;
  /** Keeps the process alive until the answer is there. */
  readonly holds?: boolean;
}

/** POST /write of InfluxDB 1.x for each batch. */
export function httpSender({ url, database, token, holds = false }: HttpTarget): LineSender {
  const address = new URL(`${url.replace(/\/+$/, '')}/write`);
  address.search = new URLSearchParams({ db: database, precision: 'ns' }).toString();
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;

  return {
    batchBytes: BATCH_BYTES,
    canRetry: true,
    lineBytes: Number.POSITIVE_INFINITY,
    send: (text) =>
      new Promise((resolve) => {
        const failed = (error: Error) =>
          resolve({ state: 'failed', message: error.message || String(error) });
        const sent = request(address, { method: 'POST', headers, timeout: TIMEOUT_MS }, (response) => {
          response.on('error', failed);
          readAnswer(response, resolve);
        });
        sent.on('error', failed);
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
        if (!holds) sent.on('socket', (socket) => socket.unref());
        sent.end(text);
      }),
    prepare: () => {},
    isReady: false,
    sendNow: (_text, done) => done({ state: 'failed', message: 'HTTP cannot be sent without waiting' }),
    close: () => {},
  };
}

function readAnswer(response: IncomingMessage, done: (delivery: Delivery) => void): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    if (text.length < MOST_OF_ANSWER) text += piece;
  });
  response.on('end', () => {
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return done({ state: 'delivered' });
    const message = `${status} ${errorOf(text) || (response.statusMessage ?? '')}`.trim();
    // The lines themselves are refused by these only; a missing database or token, or a busy server, may pass.
    done({ state: [400, 413, 422].includes(status) ? 'refused' : 'failed', message });
  });
}

function errorOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return text.slice(0, 200).trim();
  }
}
