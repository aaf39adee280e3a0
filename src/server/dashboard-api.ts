import type { FastifyInstance } from 'fastify';
import { readOverview } from '../dashboard/app/home/read-overview.ts';
import { listRuns } from '../dashboard/app/runs/list-runs.ts';
import { readRun } from '../dashboard/app/runs/read-run.ts';
import { readTelemetry } from '../dashboard/app/runs/run-telemetry.ts';
import { runFilterIn } from '../dashboard/server/run-routes.ts';
import { readLiveStatus } from '../home/app/run-queries.ts';
import { API_DOCS as DOCS, RUNS_LISTED } from '../platform/server/api-docs.ts';
import { numberIn, textIn } from '../platform/server/route-config.ts';
import { noRun, sendJson, sendProblem } from '../platform/server/send.ts';
import type { ServerOptions } from '../platform/server/server-options.ts';
import type { ServerEffects } from './server-effects.ts';

const MOST_EXPERIMENTS = 10_000;

/** The facts of every page as JSON. */
export function addDashboardApi(
  app: FastifyInstance,
  { home, isReadOnly = false }: ServerOptions,
  { disk, index }: ServerEffects,
): void {
  app.get('/api/status', { config: { doc: DOCS.status } }, async (_request, reply) =>
    sendJson(reply, { ...(await readLiveStatus(await index.current())), isReadOnly }),
  );

  app.get('/api/experiments', { config: { doc: DOCS.experiments } }, async (_request, reply) => {
    const store = await index.current();
    return sendJson(reply, await readOverview({ home, experimentLimit: MOST_EXPERIMENTS }, { store, disk }));
  });

  app.get('/api/runs', { config: { doc: DOCS.runs, follows: 'index' } }, async (request, reply) => {
    const store = await index.current();
    const before = numberIn(request.query, 'before');
    const wanted = numberIn(request.query, 'limit') ?? RUNS_LISTED.usual;
    const limit = Math.min(RUNS_LISTED.most, Math.max(1, wanted));
    const filter = runFilterIn(request.query);
    const list = store
      ? await listRuns({ limit, filter, ...(before !== undefined && { before }) }, store)
      : { runs: [], count: 0 };
    return sendJson(reply, list);
  });

  // The running stage, and what differs from the run before, are read from files.
  const oneRun = { config: { doc: DOCS.run } };
  app.get<{ Params: { id: string } }>('/api/runs/:id', oneRun, async (request, reply) => {
    const { id } = request.params;
    const store = await index.current();
    const view = store && (await readRun({ home, id }, { store, disk }));
    return view ? sendJson(reply, view) : sendProblem(request, reply, 404, noRun(id));
  });

  /** What the machine did during a run; of one of its experiments with ?experiment=NAME. */
  const telemetry = { config: { doc: DOCS.telemetry } };
  app.get<{ Params: { id: string } }>('/api/runs/:id/telemetry', telemetry, async (request, reply) => {
    const { id: runId } = request.params;
    const store = await index.current();
    if (store === undefined || (await store.run(runId)) === undefined)
      return sendProblem(request, reply, 404, noRun(runId));
    const experiment = textIn(request.query, 'experiment');
    return sendJson(reply, await readTelemetry({ runId, experiment }, store));
  });
}
