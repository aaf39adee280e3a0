import type { FastifyInstance } from 'fastify';
import { readChanges } from '../../app/changes/read-changes.ts';
import type { ServerEffects } from '../effects.ts';
import { sendJson } from '../send.ts';
import { API_DOCS } from './api-docs.ts';
import { hasFlag, numberIn } from './query.ts';

/** The changes of a home. */
export function addChanges(app: FastifyInstance, { index }: Pick<ServerEffects, 'index'>): void {
  const view = async (query: unknown) =>
    readChanges(await index.current(), {
      isOpenOnly: hasFlag(query, 'open'),
      page: numberIn(query, 'page'),
    });

  for (const address of ['/api/changes', '/changes.json'])
    app.get(address, { config: { doc: API_DOCS.changes, follows: 'index' } }, async (request, reply) =>
      sendJson(reply, await view(request.query)),
    );
}
