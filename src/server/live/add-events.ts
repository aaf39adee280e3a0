import type { FastifyInstance } from 'fastify';
import { EventStreams } from '../../platform/server/event-streams.ts';
import { sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import type { ServerEffects } from '../effects.ts';
import { tokenReader } from './tokens.ts';

const MOST_LISTENERS = 500;

const DOC = {
  summary: 'That something is new, by topic, as server-sent events, at most once a second',
  answer: { media: ['text/event-stream'] },
};

/**
 * GET /api/events: that something is new, by topic, at most once a second however much happens. Pages then ask for what
 * they show. Tells how many listen.
 */
export function addEvents(
  app: FastifyInstance,
  options: ServerOptions,
  effects: ServerEffects,
): { listeners(): number } {
  const events = new EventStreams({
    ...{ most: MOST_LISTENERS, mostWaitingBytes: 64 * 1024 },
    begin: () => {
      const read = tokenReader(options, effects);
      return async () => `event: tokens\ndata: ${JSON.stringify(await read())}\n\n`;
    },
    text: (tokens, listener: { told: string }) => {
      if (listener.told === tokens) return '';
      listener.told = tokens;
      return tokens;
    },
    failed: (reason) => effects.report(`News cannot be told: ${reason}`),
  });
  app.get('/api/events', { config: { doc: DOC } }, async (request, reply) => {
    if (!events.isFull) return events.send(reply, { told: '' });
    const explanation = `${MOST_LISTENERS} listen already. Close some pages.`;
    return sendProblem(request, reply, 503, { heading: 'Too many listen', explanation });
  });
  app.addHook('preClose', async () => events.end());
  return { listeners: () => events.count };
}
