import type { FastifyInstance } from 'fastify';
import type { Store } from '../../home/core/store.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Access } from '../../platform/server/access/access.ts';
import { API_DOCS } from '../../platform/server/api-docs.ts';
import { hasFlag, numberIn } from '../../platform/server/route-config.ts';
import { sendError, sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { findChange } from '../app/changes/find-change.ts';
import { readChange, readExplanation } from '../app/changes/read-change.ts';
import { readChangeTable } from '../app/changes/read-change-table.ts';
import { readChanges } from '../app/changes/read-changes.ts';
import { readChangesAround } from '../app/changes/read-changes-around.ts';
import { USUAL_RULES } from '../app/changes/rules.ts';
import { changesCsv } from '../core/changes/changes-csv.ts';
import { CHANGE_DOCS } from './change-docs.ts';
import type { ChangesService } from './changes-service.ts';
import { addTriage } from './triage.ts';

interface ChangesEffects extends HomeServerEffects {
  /** Explains changes and writes down what people say of them; without it they are only read. */
  readonly changes?: ChangesService;
}

type OneChange = { Params: { id: string } };

/** The changes of a home: a list for programs, a table for the page, one with all that is known, and what people say. */
export function addChanges(
  app: FastifyInstance,
  options: ServerOptions,
  effects: ChangesEffects & { readonly access: Access },
): void {
  app.register(async (scope) => {
    tellRefusals(scope);
    addLists(scope, effects);
    addOne(scope, options, effects);
    const { changes } = effects;
    if (changes !== undefined) addTriage(scope, options, { ...effects, changes });
  });
}

function addLists(app: FastifyInstance, { index }: ChangesEffects): void {
  for (const address of ['/api/changes', '/changes.json'])
    app.get(address, { config: { doc: API_DOCS.changes, follows: 'index' } }, async ({ query }, reply) => {
      const asked = { isOpenOnly: hasFlag(query, 'open'), page: numberIn(query, 'page') };
      return sendJson(reply, await readChanges(await index.current(), asked));
    });
  app.get(
    '/api/changes/table',
    { config: { doc: CHANGE_DOCS.table, follows: 'index' } },
    async (_request, reply) => sendJson(reply, await readChangeTable(await index.current())),
  );
  app.get<{ Params: { page: string } }>(
    '/api/changes/around/:page',
    { config: { doc: CHANGE_DOCS.around, follows: 'index' } },
    async (request, reply) => {
      const { page } = request.params;
      if (!/^\d{1,6}$/.test(page)) return sendProblem(request, reply, 404, NO_PAGE);
      return sendJson(reply, await readChangesAround(Number(page), await index.current()));
    },
  );
  app.get('/api/changes.csv', { config: { doc: CHANGE_DOCS.csv } }, async (_request, reply) => {
    const { changes } = await readChangeTable(await index.current());
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="changes.csv"')
      .send(changesCsv(changes));
  });
}

const NO_PAGE = { heading: 'No such page of changes', explanation: 'Pages are counted from 0.' };

function addOne(app: FastifyInstance, { home }: ServerOptions, effects: ChangesEffects): void {
  const { index, disk, clock, changes } = effects;
  const storeFor = async (id: string): Promise<Store> => (await index.current()) ?? findNone(id);

  app.get<OneChange>(
    '/api/changes/:id',
    { config: { doc: CHANGE_DOCS.one } },
    async ({ params: { id } }, reply) => {
      const store = await storeFor(id);
      const rules = (await changes?.rules()) ?? USUAL_RULES;
      return sendJson(reply, await readChange({ home, id, rules }, { disk, clock, store }));
    },
  );
  app.get<OneChange>(
    '/api/changes/:id/explanation',
    { config: { doc: CHANGE_DOCS.explanation } },
    async ({ params: { id } }, reply) => {
      const store = await storeFor(id);
      const begun = await store.changes({ id, limit: 100 });
      const change = findChange(new Map(begun.map((one) => [one.id, one])), id);
      const { commits, signal = NEVER } = changes ?? {};
      return sendJson(
        reply,
        await readExplanation(home, change, { store, disk, signal, ...(commits && { commits }) }),
      );
    },
  );
}

const NEVER = new AbortController().signal;

/** Of a home without results: there is none of any name. */
function findNone(id: string): never {
  findChange(new Map(), id);
  throw new Error('unreachable: nothing is found among nothing');
}

/** What whoever asks can do something about; the rest goes to the handler of the server. */
const STATUSES: Readonly<Record<string, number>> = {
  CHANGES_ASKED: 400,
  CHANGES_UNKNOWN: 404,
  CHANGES_AMBIGUOUS: 400,
};

function tellRefusals(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const status = error instanceof NightmarkError ? STATUSES[error.code] : undefined;
    if (!(error instanceof NightmarkError) || status === undefined) throw error;
    const { message, hint = '', code } = error;
    return sendError(request, reply.code(status), { error: message, hint, code });
  });
}
