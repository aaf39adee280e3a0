import type { FastifyInstance } from 'fastify';
import { readChanges } from '../../app/changes/read-changes.ts';
import { baseName } from '../../core/path.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { changesPage } from '../pages/changes-page.ts';
import { sendJson, sendPage } from '../send.ts';
import { hasFlag, numberIn } from './query.ts';

/** The changes of a home, as a page and as JSON. */
export function addChanges(
  app: FastifyInstance,
  { home }: ServerOptions,
  { index }: Pick<ServerEffects, 'index'>,
): void {
  const view = async (query: unknown) =>
    readChanges(await index.current(), {
      isOpenOnly: hasFlag(query, 'open'),
      page: numberIn(query, 'page'),
    });

  app.get('/changes', async (request, reply) => {
    const changes = await view(request.query);
    const project = changes.project || baseName(home);
    const main = changesPage(changes);
    return sendPage(reply, { title: `Changes · ${project}`, project, json: '/api/changes', main });
  });

  for (const address of ['/api/changes', '/changes.json'])
    app.get(address, async (request, reply) => sendJson(reply, await view(request.query)));
}
