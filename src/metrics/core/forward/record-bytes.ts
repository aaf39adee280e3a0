import { utf8 } from '../../../platform/core/text/sha256.ts';
import { utf8Text } from '../lines/line-text.ts';
import type { LogRecord } from '../points/point-storage.ts';

/** A record as bytes for a queue: a line of JSON, then the body as it came. */
export function encodeRecord({ body, ...head }: LogRecord): Uint8Array {
  const line = utf8(`${JSON.stringify(head)}\n`);
  const bytes = new Uint8Array(line.length + body.length);
  bytes.set(line);
  bytes.set(body, line.length);
  return bytes;
}

export function decodeRecord(bytes: Uint8Array): LogRecord {
  const end = bytes.indexOf(10);
  // Written above; the queue has compared the checksum.
  const head = JSON.parse(utf8Text(bytes, 0, end)) as Omit<LogRecord, 'body'>;
  return { ...head, body: bytes.subarray(end + 1) };
}

/** Lines that end with a line break, and one that does not. */
export function countLines(body: Uint8Array): number {
  let count = 0;
  for (let at = body.indexOf(10); at !== -1; at = body.indexOf(10, at + 1)) count++;
  return body.length > 0 && body[body.length - 1] !== 10 ? count + 1 : count;
}
