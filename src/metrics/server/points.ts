import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../platform/core/errors.ts';
import { anything, count, fields, list, mapOf, text } from '../../platform/server/schema.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { PointsView } from '../app/points-view.ts';
import { storageUnavailableMessage } from '../core/points/point-reader.ts';
import type { PointService } from './effects.ts';

/** Sizes of more are not added up for a page. */
const DATABASES_SHOWN = 200;

/** What came in, what was refused, and how much is stored. */
export function addPointsStatus(app: FastifyInstance, { points }: { readonly points?: PointService }): void {
  if (points === undefined) return;
  app.get('/api/points/status', { config: { doc: DOCS.status } }, async (_request, reply) =>
    sendJson(reply, await viewOfPoints(points)),
  );
  // Asked every few seconds by every open page: adds up nothing.
  app.get('/api/points/token', { config: { doc: DOCS.token } }, async (_request, reply) =>
    sendJson(reply, { token: await tokenOf(points) }),
  );
}

const DOCS = {
  status: {
    summary: 'Databases with their sizes, what came in and was refused, and how mirrors do',
    answer: fields({
      databases: list(fields({ database: text })),
      hidden: count,
      'problem?': text,
      ingest: fields({ sources: mapOf(anything), refused: mapOf(count), latest: list(anything) }),
      forwarding: list(fields({ name: text })),
    }),
  },
  token: { summary: 'A word that changes with what is counted', answer: fields({ token: text }) },
};

/** Sizes, counters and mirrors. */
export async function viewOfPoints(points: PointService): Promise<PointsView> {
  const { counters, packets, forwarding } = points;
  return {
    ...(await sizesOf(points)),
    ingest: counters.report(await packets()),
    forwarding: forwarding?.() ?? [],
  };
}

/** A store that is away keeps nobody from seeing the rest. */
async function sizesOf(points: PointService): Promise<Pick<PointsView, 'databases' | 'hidden' | 'problem'>> {
  const { stored } = points;
  const problem = points.problem?.();
  if (problem !== undefined || stored === undefined)
    return { databases: [], hidden: 0, ...(problem !== undefined && { problem }) };
  const names = namesOf(points);
  const databases = [];
  try {
    for (const database of names.slice(0, DATABASES_SHOWN)) {
      databases.push({ database, ...(await stored.size(database)) });
    }
  } catch (error) {
    if (storageUnavailableMessage(error) === undefined) throw error;
    return { databases: [], hidden: names.length, problem: messageOf(error) };
  }
  return { databases, hidden: names.length - databases.length };
}

function namesOf({ reader, problem }: PointService): readonly string[] {
  return problem?.() === undefined ? (reader?.databases() ?? []) : [];
}

/** Changes with what is counted. */
async function tokenOf(points: PointService): Promise<string> {
  const { counters, packets, forwarding, problem } = points;
  const facts = [namesOf(points), counters.report(await packets()), forwarding?.(), problem?.()];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16);
}
