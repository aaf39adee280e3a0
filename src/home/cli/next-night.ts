import type { CliContext } from '../../platform/cli/command.ts';
import { formatTimeUntil, localTime } from '../../platform/core/text/times.ts';
import { definitionMentions } from './home-argument.ts';

/** A line with the time of the next night; undefined where nothing is scheduled or the definition is broken. */
export async function nextNight(home: string, context: CliContext): Promise<string | undefined> {
  if (!(await definitionMentions(home, 'schedule', context))) return undefined;
  const { inspectHome } = await import('../config/read-home.ts');
  const inspection = await inspectHome(home, {}, context);
  const schedule = inspection.state === 'unusable' ? undefined : inspection.reading.home.schedule;
  if (schedule?.cron === undefined) return undefined;
  const { default: timetable } = await import('../../platform/adapters/cron.ts');
  const now = context.clock.now();
  const [next] = timetable.next(schedule.cron, schedule.timezone, now, 1);
  if (next === undefined) return undefined;
  return `\nNext night ${localTime(next, schedule.timezone)}, ${formatTimeUntil(next - now)}\n`;
}
