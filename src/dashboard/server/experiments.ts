import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { readLiveStatus } from '../../home/app/run-queries.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { answerCache } from '../../platform/server/answer-cache.ts';
import { API_DOCS as DOCS } from '../../platform/server/api-docs.ts';
import { hasFlag, numberIn, textIn } from '../../platform/server/route-config.ts';
import { asTable, noExperiment, sendJson, sendJsonText, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { readExperiment } from '../app/read-experiment.ts';
import { type HistoryRequest, readHistory } from '../app/read-history.ts';
import { historyCsv } from '../app/write-history-csv.ts';

interface ExperimentRoute {
  Params: { name: string };
}

/** One experiment: how it stands, the histories of its values, and these as a table. */
export function addExperiments(
  app: FastifyInstance,
  { home }: ServerOptions,
  { disk, index, clock }: HomeServerEffects,
): void {
  const answers = answerCache(() => clock.now());
  const stampOfChanges = async () => {
    const facts = await disk.stat(homeLayout(home).changes);
    return facts ? `${facts.modifiedAt} ${facts.size}` : '';
  };
  app.get<ExperimentRoute>(
    '/api/experiments/:name',
    { config: { doc: DOCS.experiment } },
    async (request, reply) => {
      const { name } = request.params;
      const store = await index.current();
      const view = store && (await readExperiment({ home, name }, { store, disk }));
      return view ? sendJson(reply, view) : sendProblem(request, reply, 404, noExperiment(name));
    },
  );

  app.get<ExperimentRoute>(
    '/api/experiments/:name/history',
    { config: { doc: DOCS.history } },
    async (request, reply) => {
      const { name } = request.params;
      const store = await index.current();
      if (!store) return sendProblem(request, reply, 404, noExperiment(name));
      const token = `${(await readLiveStatus(store)).token} ${await stampOfChanges()}`;
      const text = await answers.answer(request.url, token, async () => {
        const view = await readHistory(asked(name, request.query), store);
        return view && `${JSON.stringify(view)}\n`;
      });
      return text === undefined
        ? sendProblem(request, reply, 404, noExperiment(name))
        : sendJsonText(reply, text);
    },
  );

  const table = { config: { doc: DOCS.historyTable } };
  app.get<ExperimentRoute>('/api/experiments/:name/history.csv', table, async (request, reply) => {
    const { name } = request.params;
    const store = await index.current();
    const lines = store && (await historyCsv(asked(name, request.query), store));
    if (!lines) return sendProblem(request, reply, 404, noExperiment(name));
    return asTable(reply, name).send(Readable.from(lines));
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
