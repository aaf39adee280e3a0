import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { readExperiment } from '../../app/read-experiment.ts';
import { type HistoryRequest, readHistory } from '../../app/read-history.ts';
import { historyCsv } from '../../app/write-history-csv.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { sendJson, sendProblem } from '../send.ts';
import { hasFlag, numberIn, textIn } from './query.ts';
import { noExperiment } from './unknown.ts';

interface ExperimentRoute {
  Params: { name: string };
}

/** One experiment: how it stands, the histories of its values, and these as a table. */
export function addExperiments(
  app: FastifyInstance,
  { home }: ServerOptions,
  { disk, index }: ServerEffects,
): void {
  app.get<ExperimentRoute>('/api/experiments/:name', async (request, reply) => {
    const { name } = request.params;
    const store = await index.current();
    const view = store && (await readExperiment({ home, name }, { store, disk }));
    return view ? sendJson(reply, view) : sendProblem(request, reply, 404, noExperiment(name));
  });

  app.get<ExperimentRoute>('/api/experiments/:name/history', async (request, reply) => {
    const { name } = request.params;
    const store = await index.current();
    const view = store && (await readHistory(asked(name, request.query), store));
    return view ? sendJson(reply, view) : sendProblem(request, reply, 404, noExperiment(name));
  });

  app.get<ExperimentRoute>('/api/experiments/:name/history.csv', async (request, reply) => {
    const { name } = request.params;
    const store = await index.current();
    const lines = store && (await historyCsv(asked(name, request.query), store));
    if (!lines) return sendProblem(request, reply, 404, noExperiment(name));
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.csv`)
      .send(Readable.from(lines));
  });
}

function asked(name: string, query: unknown): HistoryRequest {
  return {
    name,
    first: numberIn(query, 'first'),
    search: textIn(query, 'search'),
    withDetails: hasFlag(query, 'details'),
    isByName: textIn(query, 'order') === 'name',
    from: numberIn(query, 'from'),
    to: numberIn(query, 'to'),
  };
}
