import type { FastifyInstance } from 'fastify';
import { NightmarkError } from '../../core/errors.ts';
import { storeAwayWords } from '../../core/points/store-away.ts';
import { guardWriter } from '../client-access.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { sendJson } from '../send.ts';
import { addColumns } from './columns.ts';
import type { PointService } from './effects.ts';
import { addExtent } from './extent.ts';
import { addIngest } from './ingest.ts';
import { addListing } from './listing.ts';
import { addQuery } from './query.ts';
import { addWrite } from './write.ts';

/** Everything that takes points and answers about them; the page is another matter. */
export function addPoints(
  app: FastifyInstance,
  options: ServerOptions,
  effects: Pick<ServerEffects, 'report'> & { readonly points: PointService },
): void {
  const { points } = effects;
  addWrite(app, points, effects);
  addIngest(app, points);
  const { reader, admin, stored, moment } = points;
  if (reader === undefined) return;
  const service = { reader, ...(admin && { admin }), moment };
  addQuery(
    app,
    { ...service, guardWriter: (request, reply) => guardWriter(options, request, reply) },
    effects,
  );
  app.register(async (scope) => {
    tellRefusals(scope);
    addListing(scope, reader);
    if (stored) addExtent(scope, { reader, stored });
    if (stored) addColumns(scope, { reader, stored, moment, report: (line) => effects.report(line) });
  });
}

/** What was asked wrongly is said to whoever asked; the rest goes to the handler of the server. */
function tellRefusals(scope: FastifyInstance): void {
  const statuses: Readonly<Record<string, number>> = { POINTS_ASKED: 400, POINTS_NO_DATABASE: 404 };
  scope.setErrorHandler(async (error, _request, reply) => {
    const away = storeAwayWords(error) === undefined ? undefined : 503;
    const status = error instanceof NightmarkError ? (away ?? statuses[error.code]) : undefined;
    if (!(error instanceof NightmarkError) || status === undefined) throw error;
    return sendJson(reply.code(status), { error: error.message, hint: error.hint, code: error.code });
  });
}
