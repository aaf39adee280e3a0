import { z } from 'zod';
import { plainText } from '../../../platform/config/schema-fields.ts';
import type { HomeJobs } from '../../core/home.ts';

/** Jobs of the home. */
export const jobs = z.strictObject({
  store: z.enum(['sqlite', 'postgres']).optional().meta({
    description: 'Where the queue lies: in the home, or in the database that NIGHTMARK_POSTGRES_URL names.',
    usual: 'sqlite',
  }),
  results: plainText('a folder').optional().meta({
    description: 'Where the folders of jobs are made; relative to this file.',
    usual: 'results/jobs',
  }),
});

export function toJobs(input: z.output<typeof jobs> | undefined): HomeJobs | undefined {
  if (input === undefined) return undefined;
  const { store = 'sqlite', results } = input;
  return { store, ...(results !== undefined && { results }) };
}
