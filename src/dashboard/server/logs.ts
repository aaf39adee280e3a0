import type { FastifyInstance } from 'fastify';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { API_DOCS } from '../../platform/server/api-docs.ts';
import { hasFlag, numberIn } from '../../platform/server/route-config.ts';
import { noLog, sendJson, sendProblem } from '../../platform/server/send.ts';
import { sendFile } from '../../platform/server/send-file.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { type LogPiece, type LogText, readLog, readLogPiece } from '../app/read-log.ts';

interface LogRoute {
  Params: { id: string; kind: string; task: string; stage: string };
}

/** What a stage printed: its ends, what follows a byte (?after=N), or (?whole=1) the file itself. */
export function addLogs(
  app: FastifyInstance,
  { home }: ServerOptions,
  { disk, index }: HomeServerEffects,
): void {
  const config = { doc: API_DOCS.log };
  app.get<LogRoute>('/api/runs/:id/logs/:kind/:task/:stage', { config }, async (request, reply) => {
    const { id: runId, kind, task, stage } = request.params;
    const store = await index.current();
    const isKind = kind === 'experiment' || kind === 'subsystem';
    const after = numberIn(request.query, 'after');
    const asked = { home, runId, kind: kind as 'experiment', task, stage }; // looked at below
    if (store && isKind && after !== undefined) {
      const piece = await readLogPiece({ ...asked, after }, { store, disk });
      return piece ? sendJson(reply, toText(piece)) : sendProblem(request, reply, 404, noLog(stage));
    }
    const view = store && isKind ? await readLog(asked, { store, disk }) : undefined;
    if (!view) return sendProblem(request, reply, 404, noLog(stage));
    if (hasFlag(request.query, 'whole')) {
      const file = { path: view.path, within: homeLayout(home).runs, type: 'text/plain; charset=utf-8' };
      return (await sendFile(reply, file)) ?? sendProblem(request, reply, 404, noLog(stage));
    }
    const { path: _path, ...shown } = view;
    return sendJson(reply, shown);
  });
}

/** Bytes that are no UTF-8 become the sign that stands for such. */
function toText({ bytes, ...piece }: LogPiece): LogText {
  return { ...piece, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') };
}
