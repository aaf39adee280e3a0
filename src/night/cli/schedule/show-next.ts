import type { Schedule } from '../../../home/core/home.ts';
import timetable from '../../../platform/adapters/cron.ts';
import type { CliContext, Options } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { formatTimeUntil, localTime, utcTime } from '../../../platform/core/text/times.ts';
import { planNext } from '../../app/schedule/plan-next.ts';

const MAX_NEXT = 1000;

/** What --next asks for. "--next HOME" means the home: a folder is no number. */
export function readNext(
  value: Options[string],
  [home]: readonly string[],
): { home?: string; count?: number } {
  const given = home === undefined ? {} : { home };
  if (value === undefined) return given;
  if (value === true) return { ...given, count: 1 };
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_NEXT) return { ...given, count };
  if (home === undefined && Number.isNaN(count)) return { home: String(value), count: 1 };
  throw new NightmarkError('CLI_INVALID_OPTION', `--next ${String(value)} is not a count.`, {
    hint: `A whole number from 1 to ${MAX_NEXT}.`,
  });
}

/** Prints when the next nights are: on the clock of the schedule's zone, in UTC, and in how long. */
export function showNext(
  schedule: Schedule,
  { count, isJson }: { readonly count: number; readonly isJson: boolean },
  { clock, stdout }: CliContext,
): void {
  const now = clock.now();
  planNext({ schedule, now }, timetable); // refuses a day that never comes
  const { cron, timezone } = schedule;
  const moments = cron === undefined ? [] : timetable.next(cron, timezone, now, count);
  if (isJson) {
    const next = moments.map((at) => ({
      at: new Date(at).toISOString(),
      local: localTime(at, timezone),
      inSeconds: Math.round((at - now) / 1000),
    }));
    stdout.write(`${JSON.stringify({ cron: cron ?? null, timezone: timezone ?? null, next })}\n`);
    return;
  }
  if (cron === undefined) stdout.write('With the next new commit; there are no fixed times.\n');
  for (const at of moments) {
    stdout.write(`${localTime(at, timezone)}   ${utcTime(at)}   ${formatTimeUntil(at - now)}\n`);
  }
}
