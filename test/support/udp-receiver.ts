import { createSocket, type Socket } from 'node:dgram';
import { until } from './duet-folder.ts';

/** A real socket on this machine that keeps every datagram. */
export class UdpReceiver {
  readonly datagrams: string[] = [];
  readonly #socket: Socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });

  async listen(): Promise<number> {
    this.#socket.on('message', (bytes) => this.datagrams.push(bytes.toString('utf8')));
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve));
    return this.#socket.address().port;
  }

  get lines(): readonly string[] {
    return this.datagrams.join('').split('\n').slice(0, -1);
  }

  async untilLines(count: number): Promise<readonly string[]> {
    await until(() => this.lines.length >= count);
    return this.lines;
  }

  close(): void {
    this.#socket.close();
  }
}

/** The line without its time. */
export function withoutTime(line: string): string {
  return line.replace(/ \d+$/, '');
}
