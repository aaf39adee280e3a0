import type { FastifyInstance } from 'fastify';
import { NightmarkError } from '../../platform/core/errors.ts';
import { sendError, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { addJobFiles } from './file-routes.ts';
import { addGraphql } from './graphql-route.ts';
import { addJobEvents } from './job-events.ts';
import type { JobEffects } from './job-service.ts';
import { addManyReading } from './many-routes.ts';
import { addJobReading } from './read-routes.ts';
import { addJobWriting } from './write-routes.ts';

/** Jobs of a home: API, files, and the GraphQL of the old monitor. */
export function addJobs(app: FastifyInstance, options: ServerOptions, effects: JobEffects): void {
  app.register(async (scope) => {
    sendJobErrors(scope);
    addJobReading(scope, effects);
    addManyReading(scope, effects);
    addJobWriting(scope, options, effects);
    addJobFiles(scope, effects);
    addJobEvents(scope, effects);
    addGraphql(scope, effects);
  });
}

/** Errors that the client can act on; the rest goes to the server's handler. */
const STATUSES: Readonly<Record<string, number>> = {
  JOBS_ASKED: 400,
  JOBS_AWAY: 503,
  JOBS_UNKNOWN: 404,
  JOBS_STILL_RUNS: 409,
  JOBS_NO_PACKAGE: 409,
  JOBS_TOO_MUCH: 400,
  JOBS_NAME: 400,
  JOBS_NUMBER: 400,
  JOBS_NUL: 400,
  SEARCH_PATTERN: 400,
  SEARCH_SYNTAX: 400,
  SEARCH_TOO_LONG: 400,
};

function sendJobErrors(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const status = error instanceof NightmarkError ? STATUSES[error.code] : undefined;
    if (!(error instanceof NightmarkError) || status === undefined) throw error;
    const { message, hint = '' } = error;
    if (/^\/(?:api\/|graphql)/.test(request.url))
      return sendError(request, reply.code(status), { error: message, hint, code: error.code });
    return sendProblem(request, reply, status, { heading: message, explanation: hint });
  });
}
