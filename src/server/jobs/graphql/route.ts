import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NightmarkError } from '../../../core/errors.ts';
import type { ServerOptions } from '../../effects.ts';
import { sendError, sendJson } from '../../send.ts';
import type { JobEffects } from '../effects.ts';
import { whyNoWriter } from '../writer-access.ts';
import { type GraphqlRequest, prepare } from './answer.ts';

const MOST_BYTES = 1024 * 1024;

/** The GraphQL of the old monitor, over the queue of the home. */
export function addGraphql(app: FastifyInstance, options: ServerOptions, effects: JobEffects): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, given: unknown) => {
    const prepared = await prepare(requestOf(given));
    if (!('run' in prepared)) return sendJson(reply.code(400), prepared);
    if (prepared.isMutation) {
      if (request.method === 'GET')
        return sendError(request, reply.code(405).header('allow', 'POST'), ONLY_POST);
      const refusal = whyNoWriter(options, request);
      if (refusal) return sendError(request, reply.code(refusal.status), refusal);
    }
    return sendJson(reply, await prepared.run(effects));
  };

  app.get('/graphql', async (request, reply) => answer(request, reply, fromAddress(request.query)));
  app.post('/graphql', { bodyLimit: MOST_BYTES }, async (request, reply) =>
    answer(request, reply, request.body),
  );
}

const ONLY_POST = {
  error: 'A mutation is sent with POST',
  hint: 'POST /graphql with {"query", "variables"} as application/json.',
};

function fromAddress(query: unknown): unknown {
  const { variables, ...rest } = query as Record<string, unknown>;
  if (typeof variables !== 'string' || variables === '') return rest;
  try {
    return { ...rest, variables: JSON.parse(variables) as unknown };
  } catch {
    throw refused('"variables" is no JSON.');
  }
}

function requestOf(given: unknown): GraphqlRequest {
  const { query, variables, operationName } = (
    typeof given === 'object' && given !== null ? given : {}
  ) as Record<string, unknown>;
  if (typeof query !== 'string' || query === '') throw refused('There is no "query".');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw refused('"variables" is no object.');
  return {
    query,
    ...(variables != null && { variables: variables as Record<string, unknown> }),
    ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
  };
}

function refused(message: string): NightmarkError {
  return new NightmarkError('JOBS_ASKED', message, {
    hint: 'Send {"query": "{ jobs(limit: 5) { id status } }"} as application/json.',
  });
}
