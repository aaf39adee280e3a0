import { type FastifyInstance, fastify } from 'fastify';
import { NightmarkError } from '../core/errors.ts';
import { guardAccess } from './access.ts';
import type { ServerEffects, ServerOptions } from './effects.ts';
import { addJobs } from './jobs/add-jobs.ts';
import { addEvents } from './live/add-events.ts';
import { addPage } from './page/add-page.ts';
import { addPoints } from './points/add-points.ts';
import { addApi } from './routes/api.ts';
import { addChanges } from './routes/changes.ts';
import { addCurves } from './routes/curves.ts';
import { addFiles } from './routes/files.ts';
import { addHome } from './routes/home.ts';
import { addLogs } from './routes/logs.ts';
import { addMachines } from './routes/machines.ts';
import { addMetrics } from './routes/metrics.ts';
import { addPointsStatus } from './routes/points.ts';
import { addServerHealth } from './routes/server-health.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { sendProblem } from './send.ts';

/** The page and the API of one home, for reading; points are the only thing it takes. Not listening yet. */
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
  addSecurityHeaders(app);
  guardAccess(app, options);
  addPage(app);
  const { listeners } = addEvents(app, options, effects);
  addServerHealth(app, options, { ...effects, listeners });
  addHome(app, options, effects);
  addApi(app, options, effects);
  addChanges(app, effects);
  addCurves(app, options, effects);
  addMachines(app, options, effects);
  addLogs(app, options, effects);
  addPointsStatus(app, effects);
  addMetrics(app, effects);
  addFiles(app, options);
  if (effects.points !== undefined) addPoints(app, options, { ...effects, points: effects.points });
  const { jobs, points } = effects;
  if (jobs !== undefined) {
    const { reader, admin } = points ?? {};
    addJobs(app, options, { ...effects, jobs, ...(reader && { reader }), ...(admin && { admin }) });
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
