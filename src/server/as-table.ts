import type { FastifyReply } from 'fastify';

/** What follows is a CSV file of that name. */
export function asTable(reply: FastifyReply, name: string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.csv`);
}
