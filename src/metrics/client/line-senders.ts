import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { exchange, type HttpText } from '../../platform/adapters/http.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { Delivery } from '../core/lines/line-sink.ts';
import { REFUSED_LINES_HEADER, refusedCount } from '../core/lines/refused-lines.ts';

/** Sends line protocol to a receiver. It never throws, and keeps no process alive. */
export interface LineSender {
  /** Maximum of a batch; a single line may be longer. */
  readonly batchBytes: number;
  /** Maximum of a line. */
  readonly lineBytes: number;
  /** Whether a failed batch may be sent again. */
  readonly canRetry: boolean;
  send(text: string): Promise<Delivery>;
  /** Prepares for `sendNow`. */
  prepare(): void;
  /** True while `sendNow` is possible. */
  readonly isReady: boolean;
  /** Sends synchronously: at the exit of a process, and for loops that never wait. */
  sendNow(text: string, done: (delivery: Delivery) => void): void;
  close(): void;
}

const BATCH_BYTES = 256 * 1024;
const IDLE_MS = 10_000;
/** A response may list every line of a batch with its error; it is cut beyond this. */
const MAX_RESPONSE_BYTES = 8 * BATCH_BYTES;
const MAX_MESSAGE_LENGTH = 500;

export interface HttpTarget {
  /** http://HOST:PORT, with a path below which /write lies if there is one. */
  readonly url: string;
  readonly database: string;
  readonly token?: string;
  /** Keeps the process alive until the response. */
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
  const request = { method: 'POST', url: address, headers, holdsProcess: holds } as const;
  const limits = { idleMs: IDLE_MS, maxBytes: MAX_RESPONSE_BYTES, isCut: true };

  return {
    batchBytes: BATCH_BYTES,
    canRetry: true,
    lineBytes: Number.POSITIVE_INFINITY,
    send: (text) =>
      exchange({ ...request, ...limits, body: text }).then(
        (answer) => deliveryOf(answer, lineCount(text)),
        (error: unknown) => ({ state: 'failed', message: messageOf(error) }),
      ),
    prepare: () => {},
    isReady: false,
    sendNow: (_text, done) => done({ state: 'failed', message: 'HTTP cannot be sent without waiting' }),
    close: () => {},
  };
}

function deliveryOf({ status, statusText, text, header }: HttpText, sent: number): Delivery {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  const error = errorOf(text);
  const message = `${status} ${error || statusText}`.trim().slice(0, MAX_MESSAGE_LENGTH);
  // Only these refuse the lines themselves; a missing database or token, or a busy server, may pass.
  if (![400, 413, 422].includes(status)) return { state: 'failed', message };
  const counted = Number(header(REFUSED_LINES_HEADER) ?? Number.NaN);
  const lines = Number.isInteger(counted) ? Math.min(counted, sent) : refusedCount(error, sent);
  return { state: 'refused', message, lines };
}

/** Newlines within strings are counted too, but they are rare and this is a count for people. */
function lineCount(text: string): number {
  return text.split('\n').length - 1;
}

function errorOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return text.slice(0, 200).trim();
  }
}

/** Below what an Ethernet frame carries (1,500 bytes less the headers of IPv6 and UDP), so that no datagram is fragmented. */
const DATAGRAM_BYTES = 1_400;
/** What UDP over IPv4 can carry. */
const MAX_DATAGRAM_BYTES = 65_507;

/** One datagram for each batch. The socket is connected, so that a missing receiver is noticed. */
export function udpSender(host: string, port: number): LineSender {
  let socket: Socket | undefined;
  let ready: Promise<Delivery> | undefined;
  let isReady = false;

  const forget = () => {
    socket?.close();
    socket = undefined;
    ready = undefined;
    isReady = false;
  };
  const connect = (): Promise<Delivery> =>
    new Promise((resolve) => {
      const opened = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
      socket = opened;
      opened.unref();
      opened.on('error', () => {}); // an error of an earlier datagram; an unknown host is reported below
      opened.connect(port, host, (error?: Error) => {
        isReady = error === undefined && socket === opened;
        if (error && socket === opened) forget();
        resolve(error ? failedDelivery(error) : { state: 'delivered' });
      });
    });

  const send = (text: string, done: (delivery: Delivery) => void, isSecond = false) => {
    if (!socket) return done({ state: 'failed', message: 'the socket is closed' });
    socket.send(text, (error) => {
      if (!error) return done({ state: 'delivered' });
      // The error is about an earlier datagram; this one was not sent yet.
      const isEarlier = 'code' in error && error.code === 'ECONNREFUSED' && !isSecond;
      if (isEarlier) send(text, done, true);
      else done(failedDelivery(error));
    });
  };

  return {
    batchBytes: DATAGRAM_BYTES,
    canRetry: false,
    lineBytes: MAX_DATAGRAM_BYTES,
    async send(text) {
      ready ??= connect();
      const connected = await ready;
      if (connected.state !== 'delivered') return connected;
      return new Promise((resolve) => send(text, resolve));
    },
    prepare() {
      ready ??= connect();
    },
    get isReady() {
      return isReady;
    },
    sendNow: (text, done) => send(text, done),
    close: forget,
  };
}

function failedDelivery(error: Error): Delivery {
  return { state: 'failed', message: error.message };
}
