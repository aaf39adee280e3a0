import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../../platform/server/send-file.ts';
import type { ServerEffects } from '../effects.ts';

/**
 * A tag for each answer, and 304 for whoever has it already. Where an answer follows from the index alone, the tag is made
 * of the version of that, and nothing is read; elsewhere it is the hash of what was made.
 */
export function addAnswerTags(app: FastifyInstance, { index }: Pick<ServerEffects, 'index'>): void {
  // Another server may answer otherwise from the same index: it may be a newer one.
  const server = randomUUID();
  app.addHook('onRequest', (request, reply, done) => {
    const version = request.routeOptions.config?.follows === 'index' ? index.version?.() : undefined;
    if (version === undefined) return done();
    // Taken before the index is read: if it changes meanwhile the tag is too old, which costs one more answer.
    const tag = tagOf(`${server} ${version} ${request.url}`);
    reply.header('etag', tag);
    if (!matchesTag(request, tag)) return done();
    reply.header('cache-control', 'private, no-cache').code(304).send();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200) {
      if (reply.statusCode >= 400) reply.removeHeader('etag');
      return done(null, payload);
    }
    if (!isTagged(request, reply, payload)) return done(null, payload);
    const tag = String(reply.getHeader('etag') ?? tagOf(payload));
    reply.header('etag', tag);
    if (!matchesTag(request, tag)) return done(null, payload);
    reply.code(304).removeHeader('content-length').removeHeader('content-encoding');
    done(null, null);
  });
}

function isTagged(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if ((method !== 'GET' && method !== 'HEAD') || routeOptions.config?.client === 'influx') return false;
  if (/no-store|immutable/.test(String(reply.getHeader('cache-control') ?? ''))) return false;
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

/** Weak: the same facts may come in another packing. */
function tagOf(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}
