import type { FastifyInstance } from 'fastify';
import { readTelemetry } from '../../app/read-telemetry.ts';
import type { ServerEffects } from '../effects.ts';
import { sendJson, sendProblem } from '../send.ts';
import { API_DOCS } from './api-docs.ts';
import { textIn } from './query.ts';
import { noRun } from './unknown.ts';

/** What the machine did during a run; of one of its experiments with ?experiment=NAME. */
export function addTelemetry(app: FastifyInstance, { index }: Pick<ServerEffects, 'index'>): void {
  const telemetry = { config: { doc: API_DOCS.telemetry } };
  app.get<{ Params: { id: string } }>('/api/runs/:id/telemetry', telemetry, async (request, reply) => {
    const { id: runId } = request.params;
    const store = await index.current();
    if ((await store?.run(runId)) === undefined || store === undefined)
      return sendProblem(request, reply, 404, noRun(runId));
    const experiment = textIn(request.query, 'experiment');
    return sendJson(reply, await readTelemetry({ runId, experiment }, store));
  });
}
