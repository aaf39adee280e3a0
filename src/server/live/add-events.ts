import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../core/errors.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { sendProblem } from '../send.ts';
import { type LiveTokens, tokenReader } from './tokens.ts';

const LOOK_MS = 1_000;
/** A comment now and then shows both sides that the other is there. */
const SIGN_EVERY = 15;
const MOST_LISTENERS = 500;
/** Whoever reads slower than this is let go, and comes again. */
const MOST_WAITING_BYTES = 64 * 1024;

const DOC = {
  summary: 'That something is new, by topic, as server-sent events, at most once a second',
  answer: { media: ['text/event-stream'] },
};

/**
 * GET /api/events: that something is new, by topic, at most once a second however much happens. Pages then ask for what
 * they show. Looked for only while somebody listens. Tells how many do.
 */
export function addEvents(
  app: FastifyInstance,
  options: ServerOptions,
  effects: ServerEffects,
): { listeners(): number } {
  const streams = new Set<Readable>();
  const read = tokenReader(options, effects);
  let timer: NodeJS.Timeout | undefined;
  let known: LiveTokens | undefined;
  let [isLooking, looks] = [false, 0];
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const tokens = await read();
      const news = JSON.stringify(tokens) === JSON.stringify(known) ? undefined : tokens;
      known = tokens;
      for (const stream of streams) tell(stream, news, looks % SIGN_EVERY === 0);
    } catch (error) {
      if (looks % SIGN_EVERY === 0) effects.report(`News cannot be told: ${messageOf(error)}`);
    }
    looks++;
    isLooking = false;
  };

  app.get('/api/events', { config: { doc: DOC } }, async (request, reply) => {
    if (streams.size >= MOST_LISTENERS) {
      const explanation = `${MOST_LISTENERS} listen already. Close some pages.`;
      return sendProblem(request, reply, 503, { heading: 'Too many listen', explanation });
    }
    const stream = new Readable({ read() {} });
    streams.add(stream);
    stream.on('close', () => {
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      known = undefined;
    });
    stream.push('retry: 2000\n\n');
    if (known) tell(stream, known, false);
    timer ??= setInterval(() => void look(), LOOK_MS);
    void look();
    return reply.type('text/event-stream').header('cache-control', 'no-store').send(stream);
  });
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.push(null);
    clearInterval(timer);
  });
  return { listeners: () => streams.size };
}

function tell(stream: Readable, news: LiveTokens | undefined, isSign: boolean): void {
  if (stream.readableLength > MOST_WAITING_BYTES) {
    stream.destroy();
    return;
  }
  if (isSign) stream.push(':\n\n');
  if (news) stream.push(`event: tokens\ndata: ${JSON.stringify(news)}\n\n`);
}
