import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { baseName } from '../../core/path.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { noPointsPage, type PointsView, pointsPage } from '../pages/points-page.ts';
import type { PointService } from '../points/effects.ts';
import { sendJson, sendPage } from '../send.ts';

/** Sizes of more are not added up for a page. */
const DATABASES_SHOWN = 200;

/** The page about points and, for its script, whether there is something new on it. */
export function addPointsPage(
  app: FastifyInstance,
  { home }: ServerOptions,
  { points, clock }: Pick<ServerEffects, 'points' | 'clock'>,
): void {
  const project = baseName(home);
  const title = `Points · ${project}`;
  if (points === undefined) {
    app.get('/points', async (_request, reply) => sendPage(reply, { title, project, main: noPointsPage() }));
    return;
  }
  app.get('/points', async (_request, reply) => {
    const liveToken = await tokenOf(points);
    const main = pointsPage(await viewOf(points), clock.now());
    const live = { liveToken, liveAddress: '/api/points/token' };
    return sendPage(reply, { title, project, json: '/api/points/status', ...live, main });
  });
  app.get('/api/points/status', async (_request, reply) => sendJson(reply, await viewOf(points)));
  // Asked every few seconds by every open page: adds up nothing.
  app.get('/api/points/token', async (_request, reply) => sendJson(reply, { token: await tokenOf(points) }));
}

async function viewOf({ reader, stored, counters, packets, forwarding }: PointService): Promise<PointsView> {
  const names = stored ? (reader?.databases() ?? []) : [];
  const databases = [];
  for (const database of names.slice(0, DATABASES_SHOWN)) {
    const size = await stored?.size(database);
    if (size) databases.push({ database, ...size });
  }
  return {
    databases,
    hidden: names.length - databases.length,
    ingest: counters.report(await packets()),
    forwarding: forwarding?.() ?? [],
  };
}

/** Changes with what is counted. */
async function tokenOf({ reader, counters, packets, forwarding }: PointService): Promise<string> {
  const facts = [reader?.databases(), counters.report(await packets()), forwarding?.()];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16);
}
