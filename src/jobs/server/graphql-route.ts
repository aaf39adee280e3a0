import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NightmarkError } from '../../platform/core/errors.ts';
import { sendRefusal } from '../../platform/server/access/guard-access.ts';
import { anything, fields, list, mapOf, text } from '../../platform/server/route-config.ts';
import { sendError, sendJson } from '../../platform/server/send.ts';
import { type GraphqlRequest, prepare } from './graphql-answer.ts';
import type { JobEffects } from './job-service.ts';

const MOST_BYTES = 1024 * 1024;

/** The GraphQL of the old monitor, over the queue of the home. */
export function addGraphql(app: FastifyInstance, effects: JobEffects): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, given: unknown) => {
    const prepared = await prepare(requestOf(given));
    if (!('run' in prepared)) return sendJson(reply.code(400), prepared);
    if (prepared.isMutation) {
      if (request.method === 'GET')
        return sendError(request, reply.code(405).header('allow', 'POST'), ONLY_POST);
      const refusal = effects.access.refusal(request, { scope: 'write' });
      if (refusal) return sendRefusal(request, reply, refusal);
    }
    return sendJson(reply, await prepared.run(effects));
  };

  app.get('/graphql', { config: { doc: DOC } }, async (request, reply) =>
    answer(request, reply, fromAddress(request.query)),
  );
  // What a query does is known when it is read: those that change something need more.
  const config = { scope: 'read', doc: { ...DOC, body: BODY } } as const;
  app.post('/graphql', { bodyLimit: MOST_BYTES, config }, async (request, reply) =>
    answer(request, reply, request.body),
  );
}

const DOC = {
  summary: 'Jobs and their metrics by GraphQL, as the old monitor has it; mutations need scope "write"',
  query: { query: 'the query', variables: 'its variables, as JSON', operationName: 'which of several' },
  answer: fields({ 'data?': anything, 'errors?': list(fields({ message: text })) }),
};
const BODY = fields({ query: text, 'variables?': mapOf(anything), 'operationName?': text });

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
    throw badGraphql('"variables" is not JSON.');
  }
}

function requestOf(given: unknown): GraphqlRequest {
  const { query, variables, operationName } = (
    typeof given === 'object' && given !== null ? given : {}
  ) as Record<string, unknown>;
  if (typeof query !== 'string' || query === '') throw badGraphql('There is no "query".');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw badGraphql('"variables" is not an object.');
  return {
    query,
    ...(variables != null && { variables: variables as Record<string, unknown> }),
    ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
  };
}

function badGraphql(message: string): NightmarkError {
  return new NightmarkError('JOBS_ASKED', message, {
    hint: 'Send {"query": "{ jobs(limit: 5) { id status } }"} as application/json.',
  });
}
