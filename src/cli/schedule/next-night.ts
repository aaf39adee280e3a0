import { joinPath } from '../../core/path.ts';
import type { CliContext } from '../context.ts';
import { inHowLong, localTime } from './schedule-text.ts';

const DEFINITIONS = ['nightmark.yml', 'nightmark.yaml', 'config.json', 'config/config.json'];

/** A line that says when the next night is; undefined where nothing is scheduled or the definition is broken. */
export async function nextNight(home: string, context: CliContext): Promise<string | undefined> {
  // The reader of definitions is large; a home that never says "schedule" need not wait for it.
  if (!(await mentionsSchedule(home, context))) return undefined;
  const { inspectHome } = await import('../../config/read-home.ts');
  const inspection = await inspectHome(home, {}, context);
  const schedule = inspection.state === 'unusable' ? undefined : inspection.reading.home.schedule;
  if (!schedule) return undefined;
  const { default: timetable } = await import('../../adapters/timetables/cron/index.ts');
  const now = context.clock.now();
  const [next] = timetable.next(schedule.cron, schedule.timezone, now, 1);
  if (next === undefined) return undefined;
  return `\nNext night ${localTime(next, schedule.timezone)}, ${inHowLong(next - now)}\n`;
}

async function mentionsSchedule(home: string, { disk }: CliContext): Promise<boolean> {
  for (const file of DEFINITIONS) {
    const text = await disk.readText(joinPath(home, file));
    if (text?.includes('schedule')) return true;
  }
  return false;
}
