import { z } from 'zod';
import type { QuietHours } from '../../core/notices/route.ts';
import { timezone } from '../fields.ts';

const HOURS = 'hours such as "22:00-07:00"';

const hours = z.string({ error: HOURS }).transform((text, context) => {
  const found = /^\s*(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})\s*$/.exec(text)?.slice(1).map(Number);
  const [fromHour = 99, fromMinute = 99, untilHour = 99, untilMinute = 99] = found ?? [];
  const [from, until] = [fromHour * 60 + fromMinute, untilHour * 60 + untilMinute];
  const isTime = fromMinute < 60 && untilMinute < 60 && from <= DAY && until <= DAY && from !== until;
  if (isTime) return { from, until };
  context.addIssue({ code: 'custom', message: HOURS });
  return z.NEVER;
});

const DAY = 24 * 60;

/** "22:00-07:00", or a mapping. */
export const quiet = z
  .union(
    [
      hours,
      z.strictObject({
        hours: hours.optional().describe('Such as "22:00-07:00"; over midnight where the end is earlier.'),
        timezone: timezone.optional().describe('Default: that of the machine.'),
        weekends: z
          .boolean()
          .optional()
          .meta({ description: 'Saturdays and Sundays are quiet all day.', usual: false }),
      }),
    ],
    { error: `${HOURS}, or a mapping with hours, timezone and weekends` },
  )
  .transform((input): QuietHours => {
    if ('from' in input) return { hours: input, weekends: false };
    const { hours: times, timezone: zone, weekends = false } = input;
    return { ...(times && { hours: times }), ...(zone !== undefined && { timezone: zone }), weekends };
  });
