import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** InfluxDB's own limit; ours holds for what a compressed body becomes, too. */
export const MOST_BODY_BYTES = 25_000_000;

const unzip = promisify(gunzip);

/** A body that cannot be read, with the status and words for the sender. */
export class BodyProblem extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Whatever the content type says, the body is bytes. */
export function takeAnyBody(app: FastifyInstance): void {
  // One that is empty, as the influx command line sends it, or is no type at all, would be refused before any parser.
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (!/^[\w.+-]+\/[\w.+-]+ *(?:;|$)/.test(headers['content-type'] ?? '')) delete headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
}

export async function bodyOf({ body, headers }: FastifyRequest): Promise<Uint8Array> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (headers['content-encoding'] !== 'gzip') return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: MOST_BODY_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new BodyProblem(413, 'Request Entity Too Large');
    // Go's words for a body that ends early, and for one that is no gzip.
    if (code === 'Z_BUF_ERROR') throw new BodyProblem(400, 'unexpected EOF');
    throw new BodyProblem(400, 'gzip: invalid header');
  }
}
