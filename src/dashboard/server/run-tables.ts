import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { API_DOCS as DOCS } from '../../platform/server/api-docs.ts';
import { asTable, noRun, sendJson, sendProblem } from '../../platform/server/send.ts';
import { sendFile } from '../../platform/server/send-file.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { readRun } from '../app/read-run.ts';
import { listRunFiles } from '../app/runs/list-run-files.ts';
import { runsCsv, stagesCsv } from '../app/runs/write-runs-csv.ts';
import { runFilterIn } from './run-filter-query.ts';

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
