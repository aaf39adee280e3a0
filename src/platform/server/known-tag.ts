import type { FastifyRequest } from 'fastify';

/** Whether who asks has what is tagged so; they may name several. */
export function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match'];
  return known?.split(',').some((one) => one.trim() === tag) === true;
}
