import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../core/access-token.ts';
import { sendInfluxError } from '../influx-answer.ts';
import { sendError, sendLogin, sendProblem } from '../send.ts';
import type { ServerOptions } from '../server-options.ts';
import { type Access, isForClients, type Refusal } from './access.ts';

/** Refuses foreign Host headers on loopback, and clients that may not do what the route declares. */
export function guardAccess(app: FastifyInstance, { isLoopback }: ServerOptions, access: Access): void {
  // No promise: on the way of every write and every query it would cost a turn.
  app.addHook('onRequest', (request, reply, done) => {
    if (isLoopback && !isLoopbackHost(hostName(request.headers.host))) {
      sendProblem(request, reply, 421, NOT_THIS_NAME);
      return;
    }
    const scope = scopeOf(request);
    if (scope === 'open') return done();
    const { bringsProgram } = request.routeOptions.config ?? {};
    const refusal = access.refusal(request, { scope, bringsProgram });
    if (refusal === undefined) done();
    else sendRefusal(request, reply, refusal);
  });
}

/** In the form that the client understands: InfluxDB, programs, people. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, error, hint, influx, retrySeconds } = refusal;
  if (retrySeconds !== undefined) reply.header('retry-after', retrySeconds);
  if (isForClients(request)) {
    if (status === 401) reply.header('www-authenticate', 'Basic realm="nightmark"');
    return sendInfluxError(reply, status, influx);
  }
  if (status === 401) return sendLogin(request, reply, { error, hint });
  if (request.method !== 'GET') return sendError(request, reply.code(status), { error, hint });
  return sendProblem(request, reply, status, { heading: error, explanation: hint });
}

/** What changes something says which scope it needs; one without a scope is for admins only. */
function scopeOf({ routeOptions, method, is404 }: FastifyRequest): Scope | 'open' {
  const declared = routeOptions.config?.scope;
  if (declared !== undefined) return declared;
  return method === 'GET' || method === 'HEAD' || is404 ? 'read' : 'admin';
}

/** True for addresses that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** The name in a Host header, without its port. */
function hostName(header: string | undefined): string {
  const match = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header ?? '');
  return match?.[1] ?? '';
}

const NOT_THIS_NAME = {
  heading: 'Not under this name',
  explanation: 'This server listens on this machine only. Open it as http://127.0.0.1 or http://localhost.',
};
