import type { FastifyInstance } from 'fastify';
import { readLog } from '../../app/read-log.ts';
import { homeLayout } from '../../core/model/layout.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { sendJson, sendProblem } from '../send.ts';
import { API_DOCS } from './api-docs.ts';
import { hasFlag } from './query.ts';
import { sendFile } from './send-file.ts';
import { noLog } from './unknown.ts';

interface LogRoute {
  Params: { id: string; kind: string; task: string; stage: string };
}

/** What a stage printed: its ends, or (?whole=1) the file itself. */
export function addLogs(app: FastifyInstance, { home }: ServerOptions, { disk, index }: ServerEffects): void {
  const config = { doc: API_DOCS.log };
  app.get<LogRoute>('/api/runs/:id/logs/:kind/:task/:stage', { config }, async (request, reply) => {
    const { id: runId, kind, task, stage } = request.params;
    const store = await index.current();
    const isKind = kind === 'experiment' || kind === 'subsystem';
    const view =
      store && isKind ? await readLog({ home, runId, kind, task, stage }, { store, disk }) : undefined;
    if (!view) return sendProblem(request, reply, 404, noLog(stage));
    if (hasFlag(request.query, 'whole')) {
      const file = { path: view.path, within: homeLayout(home).runs, type: 'text/plain; charset=utf-8' };
      return (await sendFile(reply, file)) ?? sendProblem(request, reply, 404, noLog(stage));
    }
    const { path: _path, ...shown } = view;
    return sendJson(reply, shown);
  });
}
