import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { goJson } from '../core/text/json.ts';

/** Clients compare it with what they need; what follows the plus does not count in comparisons. */
export const INFLUX_VERSION = '1.8.10+nightmark';

/** Headers that clients of InfluxDB expect, on every answer of these routes. */
export function addInfluxHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const id = randomUUID();
    reply.headers({
      'request-id': id,
      'x-request-id': id,
      'x-influxdb-build': 'nightmark',
      'x-influxdb-version': INFLUX_VERSION,
    });
    done();
  });
}

/** An error as InfluxDB reports it: in the body, and in a header. */
export function sendInfluxError(reply: FastifyReply, statusCode: number, message: string): FastifyReply {
  // As bytes, because to text a character set would be added.
  return reply
    .code(statusCode)
    .type('application/json')
    .header('x-influxdb-error', headerText(message))
    .send(Buffer.from(`{"error":${goJson(message)}}\n`));
}

/** Headers are short, have one line, and carry bytes: UTF-8 goes through as it is. */
function headerText(message: string): string {
  const line = Buffer.from(message).subarray(0, 1024).toString('latin1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not have
  return line.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' ');
}
