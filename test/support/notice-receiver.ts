import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedNotice {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  readonly json: any;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Never answers. */
  readonly hangs?: boolean;
}

export interface NoticeReceiver {
  readonly url: string;
  readonly got: ReceivedNotice[];
  /** Answers to give before the usual ones, the next first. */
  readonly surprises: Answer[];
  stop(): Promise<void>;
}

/** A server that behaves like Slack below /api/ and takes all else. */
export async function startReceiver(): Promise<NoticeReceiver> {
  const got: ReceivedNotice[] = [];
  const surprises: Answer[] = [];
  let url = '';
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const path = request.url ?? '';
      got.push({ method: request.method ?? '', path, headers: request.headers, body, json: parsed(body) });
      const answer = surprises.shift() ?? usual(path, url, got.length);
      if (answer.hangs === true) return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.body ?? 'ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    got,
    surprises,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function usual(path: string, url: string, count: number): Answer {
  const ok = (more: object) => ({ body: JSON.stringify({ ok: true, ...more }) });
  if (path === '/api/chat.postMessage') return ok({ channel: 'C1', ts: `1700000000.${count}` });
  if (path === '/api/chat.update') return ok({ channel: 'C1', ts: '1' });
  if (path === '/api/files.getUploadURLExternal')
    return ok({ upload_url: `${url}/store/${count}`, file_id: `F${count}` });
  if (path === '/api/files.completeUploadExternal') return ok({ files: [] });
  return { body: 'ok' };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
