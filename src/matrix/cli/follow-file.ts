import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const EVERY_MS = 200;

/** Shows what a file grows by, until it is ended; one that is not there yet is waited for. */
export function followFile(path: string, show: (text: string) => void): { end(): void } {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(64 * 1024);
  let file: number | undefined;
  const read = () => {
    file ??= open(path);
    if (file === undefined) return;
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      show(decoder.write(buffer.subarray(0, size)));
    }
  };
  const timer = setInterval(read, EVERY_MS);
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      read();
      if (file !== undefined) closeSync(file);
    },
  };
}

function open(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
