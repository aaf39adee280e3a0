import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import { type RunFilter, readRunFilter } from '../../home/core/run-filter.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { API_DOCS, API_DOCS as DOCS } from '../../platform/server/api-docs.ts';
import { hasFlag, numberIn, textIn } from '../../platform/server/route-config.ts';
import { asTable, noLog, noRun, sendJson, sendProblem } from '../../platform/server/send.ts';
import { sendFile } from '../../platform/server/send-file.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { type LogPiece, type LogText, readLog, readLogPiece } from '../app/runs/read-log.ts';
import { readRun } from '../app/runs/read-run.ts';
import { listRunFiles } from '../app/runs/result-files.ts';
import { runsCsv, stagesCsv } from '../app/runs/runs-csv.ts';

interface RunRoute {
  Params: { id: string };
}

interface SampleRoute {
  Params: { id: string; task: string };
}

/** Runs and stages as tables, and the files that a run left. */
export function addRunTables(
  app: FastifyInstance,
  { home }: ServerOptions,
  { disk, index }: HomeServerEffects,
): void {
  app.get('/api/runs.csv', { config: { doc: DOCS.runTable } }, async (request, reply) => {
    const store = await index.current();
    const lines = store ? runsCsv(runFilterIn(request.query), store) : [''];
    return asTable(reply, 'runs').send(Readable.from(lines));
  });

  app.get<RunRoute>(
    '/api/runs/:id/stages.csv',
    { config: { doc: DOCS.stageTable } },
    async (request, reply) => {
      const { id } = request.params;
      const store = await index.current();
      const view = store && (await readRun({ home, id }, { store, disk }));
      if (!view) return sendProblem(request, reply, 404, noRun(id));
      return asTable(reply, id).send(stagesCsv(view));
    },
  );

  app.get<RunRoute>('/api/runs/:id/files', { config: { doc: DOCS.runFiles } }, async (request, reply) => {
    const { id } = request.params;
    const store = await index.current();
    const list = store && (await listRunFiles({ home, id }, { store, disk }));
    return list ? sendJson(reply, list) : sendProblem(request, reply, 404, noRun(id));
  });

  const samples = { config: { doc: DOCS.samples } };
  app.get<SampleRoute>('/api/runs/:id/samples/:task', samples, async (request, reply) => {
    const { id, task } = request.params;
    const isName = [id, task].every((name) => whyInvalidName(name) === undefined);
    const file = { path: runFiles(home, id).samples(task), within: homeLayout(home).runs };
    const sent = isName && (await sendFile(reply, { ...file, type: 'application/json; charset=utf-8' }));
    return sent || sendProblem(request, reply, 404, NO_SAMPLES);
  });
}

const NO_SAMPLES = {
  heading: 'No samples there',
  explanation: 'Experiments of nightmark.yml and imports have them, until retention removes their run.',
};

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
    const logRequest = { home, runId, kind: kind as 'experiment', task, stage }; // checked below
    if (store && isKind && after !== undefined) {
      const piece = await readLogPiece({ ...logRequest, after }, { store, disk });
      return piece ? sendJson(reply, toText(piece)) : sendProblem(request, reply, 404, noLog(stage));
    }
    const view = store && isKind ? await readLog(logRequest, { store, disk }) : undefined;
    if (!view) return sendProblem(request, reply, 404, noLog(stage));
    if (hasFlag(request.query, 'whole')) {
      const file = { path: view.path, within: homeLayout(home).runs, type: 'text/plain; charset=utf-8' };
      return (await sendFile(reply, file)) ?? sendProblem(request, reply, 404, noLog(stage));
    }
    const { path: _path, ...shown } = view;
    return sendJson(reply, shown);
  });
}

/** Invalid UTF-8 becomes the replacement character. */
function toText({ bytes, ...piece }: LogPiece): LogText {
  return { ...piece, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') };
}

/** The filter of a query: kind, state and text. */
export function runFilterIn(query: unknown): RunFilter {
  return readRunFilter({
    kind: textIn(query, 'kind'),
    state: textIn(query, 'state'),
    text: textIn(query, 'text')?.slice(0, 500),
  });
}
