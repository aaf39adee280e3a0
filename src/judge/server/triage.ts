import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChangeState } from '../../home/core/changes/change.ts';
import { CHANGE_STATES } from '../../home/core/changes/ledger-line.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Access } from '../../platform/server/access/access.ts';
import type { RouteDescription } from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { triageChanges } from '../app/changes/triage-changes.ts';
import { CHANGE_DOCS } from './change-docs.ts';
import type { ChangesService } from './changes-service.ts';

/** Ids of a screen or two; more are sent in parts. */
const MOST_IDS = 1_000;
const MOST_NOTE = 4_000;
const MOST_AUTHOR = 200;

interface TriageEffects extends Pick<HomeServerEffects, 'disk' | 'clock'> {
  readonly changes: ChangesService;
  readonly access: Access;
}

/** What people say of changes. */
export function addTriage(
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
    // Whose token it is says who speaks; where none is asked for, the page does.
    const { name } = access.session(asks);
    const request = {
      ...{ home: options.home, ids, ...readWord(body) },
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
      throw asked(
        'There are no "ids".',
        `Send {"ids": ["k3f9x2a"], "state": "expected"}, at most ${MOST_IDS}.`,
      );
    return sendJson(reply, { changes: await triage(ids, word, request) });
  });
}

interface Word {
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
}

function readWord(body: unknown): Word {
  const { state, note, author, ...others } = objectOf(body);
  const [other] = Object.keys(others);
  if (other !== undefined) throw asked(`There is no "${other}" here.`, 'There is state, note, author.');
  const known = CHANGE_STATES.find((one) => one === state);
  if (known === undefined)
    throw asked(`"${String(state)}" is no state of a change.`, `Choose among: ${CHANGE_STATES.join(', ')}.`);
  return {
    state: known,
    ...textOf('note', note, MOST_NOTE),
    ...textOf('author', author, MOST_AUTHOR),
  };
}

function textOf(name: 'note' | 'author', value: unknown, most: number): Readonly<Record<string, string>> {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value === 'string' && value.length <= most) return { [name]: value };
  throw asked(`"${name}" is no text of at most ${most} characters.`, 'Shorten it.');
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Readonly<Record<string, unknown>>;
  throw asked('The body is no object.', 'Send {"state": "expected", "note": "why"} as application/json.');
}

function asked(message: string, hint: string): NightmarkError {
  return new NightmarkError('CHANGES_ASKED', message, { hint });
}
