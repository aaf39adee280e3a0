import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommitLog } from '../../git/core/commit-log.ts';
import type { ChangeState } from '../../home/core/changes/change.ts';
import { CHANGE_STATES } from '../../home/core/changes/ledger-line.ts';
import type { Store } from '../../home/core/store.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Access } from '../../platform/server/access/access.ts';
import { API_DOCS } from '../../platform/server/api-docs.ts';
import {
  anything,
  count,
  fields,
  hasFlag,
  list,
  numberIn,
  type RouteDescription,
  text,
} from '../../platform/server/route-config.ts';
import { sendError, sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { readChangesAround, readChangeTable } from '../app/changes/change-table.ts';
import { readChanges } from '../app/changes/list-changes.ts';
import { findChange, readChange, readExplanation } from '../app/changes/read-change.ts';
import { triageChanges } from '../app/changes/triage-changes.ts';
import { changesCsv } from '../core/changes/changes-csv.ts';

interface ChangesEffects extends HomeServerEffects {
  /** Explains changes and records their triage; without it they are only read. */
  readonly changes?: ChangesService;
}

type OneChange = { Params: { id: string } };

/** The changes of a home: a list for programs, a table for the page, one with all its details, and triage. */
export function addChanges(
  app: FastifyInstance,
  options: ServerOptions,
  effects: ChangesEffects & { readonly access: Access },
): void {
  app.register(async (scope) => {
    sendRefusals(scope);
    addLists(scope, effects);
    addOne(scope, options, effects);
    const { changes } = effects;
    if (changes !== undefined) addTriage(scope, options, { ...effects, changes });
  });
}

function addLists(app: FastifyInstance, { index }: ChangesEffects): void {
  for (const address of ['/api/changes', '/changes.json'])
    app.get(address, { config: { doc: API_DOCS.changes, follows: 'index' } }, async ({ query }, reply) => {
      const listed = { isOpenOnly: hasFlag(query, 'open'), page: numberIn(query, 'page') };
      return sendJson(reply, await readChanges(await index.current(), listed));
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
      return sendJson(reply, await readChange({ home, id }, { disk, clock, store }));
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

/** Mistakes of the client; the rest goes to the error handler of the server. */
const STATUSES: Readonly<Record<string, number>> = {
  CHANGES_ASKED: 400,
  CHANGES_UNKNOWN: 404,
  CHANGES_AMBIGUOUS: 400,
};

function sendRefusals(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const status = error instanceof NightmarkError ? STATUSES[error.code] : undefined;
    if (!(error instanceof NightmarkError) || status === undefined) throw error;
    const { message, hint = '', code } = error;
    return sendError(request, reply.code(status), { error: message, hint, code });
  });
}

/** Ids of a screen or two; more are sent in parts. */
const MOST_IDS = 1_000;
const MOST_NOTE = 4_000;
const MOST_AUTHOR = 200;

interface TriageEffects extends Pick<HomeServerEffects, 'disk' | 'clock'> {
  readonly changes: ChangesService;
  readonly access: Access;
}

/** Routes that set the state of changes. */
function addTriage(
  app: FastifyInstance,
  options: ServerOptions,
  { disk, clock, changes, access }: TriageEffects,
): void {
  const only = (doc: RouteDescription) => ({
    bodyLimit: 64 * 1024,
    config: { scope: 'write', doc } as const,
  });
  /** One after the other: each sees what the one before has written. */
  let last: Promise<unknown> = Promise.resolve();
  const triage = (ids: readonly string[], body: unknown, asks: FastifyRequest) => {
    // The name of the token is the author; where no token is needed, the page sends one.
    const { name } = access.session(asks);
    const request = {
      ...{ home: options.home, ids, ...readTriage(body) },
      ...(name !== undefined && { author: name }),
    };
    const mine = last
      .catch(() => undefined)
      .then(() => changes.write((store) => triageChanges(request, { disk, clock, store })));
    last = mine;
    return mine;
  };

  app.post<{ Params: { id: string } }>(
    '/api/changes/:id/triage',
    only(CHANGE_DOCS.triage),
    async (request, reply) => {
      const [change] = await triage([request.params.id], request.body, request);
      return sendJson(reply, change);
    },
  );
  app.post('/api/changes/triage', only(CHANGE_DOCS.triageMany), async (request, reply) => {
    const { ids, ...word } = objectOf(request.body);
    if (!Array.isArray(ids) || ids.length > MOST_IDS || !ids.every((id) => typeof id === 'string'))
      throw badRequest(
        'Missing or invalid "ids".',
        `Send {"ids": ["k3f9x2a"], "state": "expected"}, at most ${MOST_IDS}.`,
      );
    return sendJson(reply, { changes: await triage(ids, word, request) });
  });
}

interface TriageBody {
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
}

function readTriage(body: unknown): TriageBody {
  const { state, note, author, ...others } = objectOf(body);
  const [other] = Object.keys(others);
  if (other !== undefined) throw badRequest(`Unknown field: "${other}".`, 'Known are state, note, author.');
  const known = CHANGE_STATES.find((one) => one === state);
  if (known === undefined)
    throw badRequest(`Invalid state: "${String(state)}".`, `Choose among: ${CHANGE_STATES.join(', ')}.`);
  return {
    state: known,
    ...textOf('note', note, MOST_NOTE),
    ...textOf('author', author, MOST_AUTHOR),
  };
}

function textOf(name: 'note' | 'author', value: unknown, most: number): Readonly<Record<string, string>> {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value === 'string' && value.length <= most) return { [name]: value };
  throw badRequest(`Invalid ${name}: not a text of at most ${most} characters.`, 'Shorten it.');
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Readonly<Record<string, unknown>>;
  throw badRequest(
    'The body is not an object.',
    'Send {"state": "expected", "note": "why"} as application/json.',
  );
}

function badRequest(message: string, hint: string): NightmarkError {
  return new NightmarkError('CHANGES_ASKED', message, { hint });
}

/** What changes take beyond the index for reading. */
export interface ChangesService {
  readonly commits: CommitLog;
  readonly signal: CancelSignal;
  /** The index for writing, while the work lasts. */
  write<T>(work: (store: Store) => Promise<T>): Promise<T>;
}

const state = { enum: ['new', 'confirmed', 'expected', 'fixed', 'false'] };
const change = fields({ id: text, series: anything, state });
const word = { state, 'note?': text, 'author?': text };

/** What the documents of changes hold. */
const CHANGE_DOCS = {
  table: {
    summary: 'Every change, what is missing, and how often the detector was right',
    answer: fields({ project: text, changes: list(change), leftOut: count, scores: list(anything) }),
  },
  around: {
    summary: 'A few values around changes, and the commits of their runs; pages of 50, from 0',
    answer: fields({ around: list(fields({ id: text, values: list(anything), place: count })) }),
  },
  csv: { summary: 'Every change as a table', answer: { media: ['text/csv'] } },
  one: {
    summary: 'One change with its series, its levels and its records',
    answer: fields({ change, events: list(anything), ofSeries: list(change), neighbours: anything }),
  },
  explanation: {
    summary: 'What else changed where a series changed, ranked; or the reason why that is unknown',
    answer: fields({ 'explanation?': anything, 'reason?': text }),
  },
  triage: {
    summary: 'Reviews a change; the name of the token is the author, where one is shown',
    body: fields(word),
    answer: change,
  },
  triageMany: {
    summary: 'Reviews several changes, all or none',
    body: fields({ ids: list(text), ...word }),
    answer: fields({ changes: list(change) }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;
