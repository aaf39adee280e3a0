import type { Socket } from 'node:net';

/** Calls back for each line of JSON that comes in; what is none is passed over. */
export function onMessages<T>(socket: Socket, take: (message: T) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      let message: T;
      try {
        message = JSON.parse(line) as T;
      } catch {
        continue;
      }
      take(message);
    }
  });
  // What is wrong with it ends it: "close" tells.
  socket.on('error', () => {});
}

export function send(socket: Socket, message: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
