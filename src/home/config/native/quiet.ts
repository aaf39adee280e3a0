import { z } from 'zod';
import { timezone } from '../../../platform/config/fields.ts';
import { NOTICE_EVENTS, type QuietHours, SEVERITIES } from '../../core/home.ts';

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

const exceptions = z.enum([...SEVERITIES, ...NOTICE_EVENTS]);
const EXCEPTIONS = `severities (${SEVERITIES.join(', ')}) or events (${NOTICE_EVENTS.join(', ')}), one or a list`;

/** A night that broke can be repaired while there is time; a change can wait until the morning. */
const USUAL_EXCEPTIONS = ['night-broken'] as const;

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
        except: z
          .union([exceptions, z.array(exceptions)], { error: EXCEPTIONS })
          .optional()
          .meta({
            description:
              'What is told all the same: events, or a severity, which stands for itself and all above. `[]`: nothing.',
            usual: USUAL_EXCEPTIONS[0],
          }),
      }),
    ],
    { error: `${HOURS}, or a mapping with hours, timezone, weekends and except` },
  )
  .transform((input): QuietHours => {
    if ('from' in input) return { hours: input, weekends: false, except: USUAL_EXCEPTIONS };
    const { hours: times, timezone: zone, weekends = false, except: given = USUAL_EXCEPTIONS } = input;
    const except = typeof given === 'string' ? [given] : given;
    return {
      ...(times && { hours: times }),
      ...(zone !== undefined && { timezone: zone }),
      weekends,
      except,
    };
  });
