import { open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalPod } from './local-pod.ts';

const BLOCK = 1024 * 1024;

/** Sends the log of a pod as a node does: from a second on, with or without stamps, to its end or as it grows. */
export async function sendLog(
  pod: LocalPod,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const file = await open(pod.logFile);
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
  try {
    const since = query.get('sinceTime')?.slice(0, 19) ?? '';
    let position = 0;
    for (let rest = ''; !response.destroyed; ) {
      const isLast = pod.hasEnded || query.get('follow') !== 'true';
      const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, position);
      position += bytesRead;
      const text = rest + buffer.toString('latin1', 0, bytesRead);
      const end = bytesRead === 0 && isLast ? text.length : text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      await write(response, from(text.slice(0, end), since));
      if (bytesRead === 0 && isLast) break;
      if (bytesRead === 0) await sleep(20);
    }
  } finally {
    await file.close();
    response.end();
  }
}

/** Stamps only grow: the first line that is late enough begins all that is. */
function from(lines: string, since: string): string {
  if (since === '' || lines.slice(0, 19) >= since) return lines;
  let at = 0;
  while (at < lines.length && lines.slice(at, at + 19) < since)
    at = lines.indexOf('\n', at) + 1 || lines.length;
  return lines.slice(at);
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (text === '' || response.write(text, 'latin1') || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}
