import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Delivery } from '../core/lines/line-sink.ts';
import type { LineSender } from './line-sender.ts';

/** Below what an Ethernet frame carries (1,500 bytes less the heads of IPv6 and UDP), so that no datagram is cut up. */
const BATCH_BYTES = 1_400;
/** What UDP over IPv4 can carry. */
const MAX_DATAGRAM_BYTES = 65_507;

/** One datagram for each batch. The socket is connected, so that a receiver that is not there can be noticed. */
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
      opened.on('error', () => {}); // what the network says of an earlier datagram; a name that is not found is told below
      opened.connect(port, host, (error?: Error) => {
        isReady = error === undefined && socket === opened;
        if (error && socket === opened) forget();
        resolve(error ? failed(error) : { state: 'delivered' });
      });
    });

  const send = (text: string, done: (delivery: Delivery) => void, isSecond = false) => {
    if (!socket) return done({ state: 'failed', message: 'the socket is closed' });
    socket.send(text, (error) => {
      if (!error) return done({ state: 'delivered' });
      // The error is about an earlier datagram; this one was not sent yet.
      const isEarlier = 'code' in error && error.code === 'ECONNREFUSED' && !isSecond;
      if (isEarlier) send(text, done, true);
      else done(failed(error));
    });
  };

  return {
    batchBytes: BATCH_BYTES,
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

function failed(error: Error): Delivery {
  return { state: 'failed', message: error.message };
}
