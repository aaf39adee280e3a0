import { type FastifyInstance, fastify } from 'fastify';
import { addCurves } from '../curves/server/curves.ts';
import { addExperiments, addFiles } from '../dashboard/server/experiment-routes.ts';
import { addHome } from '../dashboard/server/home-routes.ts';
import { addMachines } from '../dashboard/server/machine-routes.ts';
import { addLogs, addRunTables } from '../dashboard/server/run-routes.ts';
import { addDuets } from '../duet/server/duets.ts';
import { addJobs } from '../jobs/server/add-jobs.ts';
import { addChanges } from '../judge/server/changes.ts';
import { addCompare } from '../judge/server/compare.ts';
import { addMatrix } from '../matrix/server/matrix-routes.ts';
import { addPoints } from '../metrics/server/add-points.ts';
import { addPointsStatus } from '../metrics/server/points-status.ts';
import { NightmarkError } from '../platform/core/errors.ts';
import { Access } from '../platform/server/access/access.ts';
import { addLogin } from '../platform/server/access/add-login.ts';
import { guardAccess } from '../platform/server/access/guard-access.ts';
import { addSecurityHeaders } from '../platform/server/security-headers.ts';
import { sendProblem } from '../platform/server/send.ts';
import type { ServerOptions } from '../platform/server/server-options.ts';
import { addDashboardApi } from './dashboard-api.ts';
import { addEvents } from './events.ts';
import { addOpenApi, type KnownRoute, watchRoutes } from './openapi.ts';
import { addPage } from './page-shell.ts';
import { addMetrics } from './prometheus.ts';
import { addCompression, addEtags } from './responses.ts';
import type { ServerEffects } from './server-effects.ts';
import { addServerHealth } from './server-health.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route, with what it says about itself. */
    readonly knownRoutes: readonly KnownRoute[];
  }
}

/** The page and the API of one home. Not listening yet. */
export function createServer(options: ServerOptions, effects: ServerEffects): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: 16 * 1024,
    // Slow senders are cut off; slow readers of large files are not.
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: true,
    // A name of 255 bytes (the most a folder may have) is up to 765 characters in an address.
    routerOptions: { maxParamLength: 1024 },
    // The default answers with the address it could not read.
    frameworkErrors: (_error, request, reply) => {
      sendProblem(request, reply, 400, NOT_READABLE);
    },
  });
  const access = new Access(options, effects);
  const routes = watchRoutes(app);
  app.decorate('knownRoutes', routes);
  addSecurityHeaders(app);
  guardAccess(app, options, access);
  addEtags(app, effects);
  addCompression(app);
  addLogin(app, access);
  addOpenApi(app, routes, options);
  addPage(app);
  const { listeners } = addEvents(app, options, effects);
  addServerHealth(app, options, { ...effects, listeners });
  addHome(app, options, effects);
  addDashboardApi(app, options, effects);
  addExperiments(app, options, effects);
  addRunTables(app, options, effects);
  addCompare(app, options, effects);
  addChanges(app, options, { ...effects, access });
  if (effects.duets !== undefined) addDuets(app, options, { ...effects, duets: effects.duets });
  addCurves(app, options, effects);
  addMachines(app, options, effects);
  addLogs(app, options, effects);
  addMatrix(app, options, effects);
  addPointsStatus(app, effects);
  addMetrics(app, effects);
  addFiles(app, options);
  if (effects.points !== undefined) addPoints(app, access, { ...effects, points: effects.points });
  const { jobs, points } = effects;
  if (jobs !== undefined) {
    const { reader = jobs.reader, admin } = points ?? {};
    addJobs(app, options, { ...effects, jobs, access, ...(reader && { reader }), ...(admin && { admin }) });
  }
  app.setNotFoundHandler(async (request, reply) => sendProblem(request, reply, 404, NOT_HERE));
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return sendProblem(request, reply, status, NOT_READABLE);
    const code = error instanceof NightmarkError ? error.code : 'an error of the server';
    effects.report(`${request.method} ${JSON.stringify(request.url)}: ${error.stack ?? error.message}`);
    const explanation = `${code}. What exactly happened is in the terminal of "nightmark serve"; a damaged index is rebuilt by "nightmark reindex".`;
    return sendProblem(request, reply, 500, { heading: 'This could not be read', explanation });
  });
  return app;
}

const NOT_HERE = {
  heading: 'There is nothing here',
  explanation:
    'The address is mistyped, or what it named was removed. The first page lists everything there is.',
};
const NOT_READABLE = {
  heading: 'This request cannot be answered',
  explanation: 'Its address or body is not one that this server understands.',
};
