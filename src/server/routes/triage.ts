import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { triageChanges } from '../../app/changes/triage-changes.ts';
import { CHANGE_STATES } from '../../core/changes/ledger-line.ts';
import { NightmarkError } from '../../core/errors.ts';
import type { ChangeState } from '../../core/model/change.ts';
import type { ChangesService } from '../changes-service.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { whyNoWriter } from '../jobs/writer-access.ts';
import { sendError, sendJson } from '../send.ts';

/** Ids of a screen or two; more are sent in parts. */
const MOST_IDS = 1_000;
const MOST_NOTE = 4_000;
const MOST_AUTHOR = 200;

/** What people say of changes. */
export function addTriage(
  app: FastifyInstance,
  options: ServerOptions,
  { disk, clock, changes }: Pick<ServerEffects, 'disk' | 'clock'> & { readonly changes: ChangesService },
): void {
  const only = {
    bodyLimit: 64 * 1024,
    // Before the body is read.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const refusal = whyNoWriter(options, request);
      return refusal && sendError(request, reply.code(refusal.status), refusal);
    },
  };
  /** One after the other: each sees what the one before has written. */
  let last: Promise<unknown> = Promise.resolve();
  const triage = (ids: readonly string[], body: unknown) => {
    const request = { home: options.home, ids, ...readWord(body) };
    const mine = last
      .catch(() => undefined)
      .then(() => changes.write((store) => triageChanges(request, { disk, clock, store })));
    last = mine;
    return mine;
  };

  app.post<{ Params: { id: string } }>('/api/changes/:id/triage', only, async (request, reply) => {
    const [change] = await triage([request.params.id], request.body);
    return sendJson(reply, change);
  });
  app.post('/api/changes/triage', only, async (request, reply) => {
    const { ids, ...word } = objectOf(request.body);
    if (!Array.isArray(ids) || ids.length > MOST_IDS || !ids.every((id) => typeof id === 'string'))
      throw asked(
        'There are no "ids".',
        `Send {"ids": ["k3f9x2a"], "state": "expected"}, at most ${MOST_IDS}.`,
      );
    return sendJson(reply, { changes: await triage(ids, word) });
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
