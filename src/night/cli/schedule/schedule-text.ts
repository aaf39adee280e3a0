import type { Schedule } from '../../../home/core/home.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { formatTimeUntil, localTime } from '../../../platform/core/text/times.ts';
import type { ScheduleEvent } from '../../app/schedule/schedule-effects.ts';

/** What "--once" says when there is nothing to do. */
export function nothingDue(until: number | undefined, schedule: Schedule, now: number): string {
  if (until === undefined) return 'No night is due: no source has a new commit.';
  return `No night is due. The next one: ${momentText(until, now, schedule.timezone)}${orCommit(schedule)}.`;
}

function momentText(at: number, now: number, timezone: string | undefined): string {
  return `${localTime(at, timezone)}, ${formatTimeUntil(at - now)}`;
}

function orCommit({ commitsEveryMs }: Schedule): string {
  return commitsEveryMs === undefined ? '' : ', or with the next new commit';
}

/** An event of the schedule as a line for people. */
export function eventLine(event: ScheduleEvent, now: number, timezone: string | undefined): string {
  switch (event.type) {
    case 'waiting':
      return event.until === undefined
        ? 'Next night: with the next new commit.'
        : `Next night: ${momentText(event.until, now, timezone)}${orCommit(event.schedule)}.`;
    case 'night-started': {
      if (event.news)
        return `${localTime(now, timezone)}: the night begins, new in ${event.news.map(visible).join(', ')}.`;
      const planned = `planned for ${localTime(event.plannedAt, timezone)}`;
      const others = event.missed > 1 ? `; ${event.missed} were missed, one is run for all of them` : '';
      return `${localTime(now, timezone)}: the night begins, ${planned}${others}.`;
    }
    case 'night-ended':
      return `${localTime(now, timezone)}: the night ended: ${event.message}`;
    case 'warning':
      return `warning: ${event.message}`;
  }
}
