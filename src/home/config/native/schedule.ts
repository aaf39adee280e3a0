import { z } from 'zod';
import { SHORTEST_WATCH_MS } from '../../../platform/config/durations-and-sizes.ts';
import { cron, duration } from '../../../platform/config/schema-fields.ts';
import type { Schedule } from '../../core/home.ts';

const FORMS = 'a cron expression such as "0 2 * * *", or a mapping with cron and new-commits';

/** A cron expression, or a mapping. */
export const schedule = z
  .union(
    [
      cron,
      z.strictObject({
        cron: cron.optional().describe('Cron expression: minute, hour, day of month, month, day of week.'),
        'new-commits': duration
          .refine((ms) => ms >= SHORTEST_WATCH_MS, { error: 'a duration of at least 10s' })
          .optional()
          .describe('Run a night when a source has a new commit, and how often to look: 10m.'),
      }),
    ],
    { error: FORMS },
  )
  .refine(
    (input) => typeof input === 'string' || input.cron !== undefined || input['new-commits'] !== undefined,
    {
      error: FORMS,
    },
  );

export function toSchedule(
  input: z.output<typeof schedule> | undefined,
  rest: Pick<Schedule, 'pull'> & { readonly timezone: string | undefined },
): Schedule | undefined {
  if (input === undefined) return undefined;
  const given = typeof input === 'string' ? { cron: input } : input;
  const commitsEveryMs = 'new-commits' in given ? given['new-commits'] : undefined;
  return {
    ...(given.cron !== undefined && { cron: given.cron }),
    ...(commitsEveryMs !== undefined && { commitsEveryMs }),
    ...(rest.timezone !== undefined && { timezone: rest.timezone }),
    pull: rest.pull,
  };
}
