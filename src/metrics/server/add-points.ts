import type { FastifyInstance } from 'fastify';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Access } from '../../platform/server/access/access.ts';
import { sendRefusal } from '../../platform/server/access/guard-access.ts';
import { sendJson } from '../../platform/server/send.ts';
import { storageUnavailableMessage } from '../core/points/point-reader.ts';
import { addColumns, addExtent } from './chart-columns.ts';
import { addQuery, type QueryService } from './influx-query.ts';
import { addWrite } from './influx-write.ts';
import type { PointService } from './point-service.ts';
import { addIngest } from './points-status.ts';
import { addListing } from './series-listing.ts';

/** All routes that write and query points. */
export function addPoints(
  app: FastifyInstance,
  access: Access,
  effects: Pick<HomeServerEffects, 'report'> & { readonly points: PointService },
): void {
  const { points } = effects;
  addWrite(app, points, effects);
  addIngest(app, points);
  const { reader, admin, stored, nextTimestamp } = points;
  if (reader === undefined) return;
  const service = { reader, ...(admin && { admin }), nextTimestamp };
  const refuse: QueryService['refuse'] = (request, reply, scope) => {
    const refusal = access.refusal(request, { scope });
    return refusal && sendRefusal(request, reply, refusal);
  };
  addQuery(app, { ...service, refuse }, effects);
  app.register(async (scope) => {
    answerErrors(scope);
    addListing(scope, reader);
    if (stored) addExtent(scope, { reader, stored });
    if (stored) addColumns(scope, { reader, stored, nextTimestamp, report: (line) => effects.report(line) });
  });
}

/** Errors of a request are answered with their message; others go to the error handler of the server. */
function answerErrors(scope: FastifyInstance): void {
  const statuses: Readonly<Record<string, number>> = { POINTS_ASKED: 400, POINTS_NO_DATABASE: 404 };
  scope.setErrorHandler(async (error, _request, reply) => {
    const unavailable = storageUnavailableMessage(error) === undefined ? undefined : 503;
    const status = error instanceof NightmarkError ? (unavailable ?? statuses[error.code]) : undefined;
    if (!(error instanceof NightmarkError) || status === undefined) throw error;
    return sendJson(reply.code(status), { error: error.message, hint: error.hint, code: error.code });
  });
}
