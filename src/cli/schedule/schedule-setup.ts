import { readHome } from '../../config/read-home.ts';
import { NightmarkError } from '../../core/errors.ts';
import type { Schedule } from '../../core/model/home.ts';
import { flag, type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';

export interface ScheduleSetup {
  readonly schedule: Schedule;
  /** Folders whose repository may be pulled; the first that is in one counts. */
  readonly pullDirs: readonly string[];
}

/** The schedule of a home; options win over its definition. */
export async function readScheduleSetup(
  home: string,
  options: Options,
  context: CliContext,
): Promise<ScheduleSetup> {
  const { home: definition } = await readHome(home, {}, context);
  const { schedule, folders } = definition;
  const cron = textOption(options, 'cron') ?? schedule?.cron;
  const timezone = textOption(options, 'timezone') ?? schedule?.timezone;
  if (cron === undefined)
    throw new NightmarkError('SCHEDULE_MISSING', `${home} has no schedule.`, {
      hint: 'Add schedule: "0 2 * * *" to its definition, or say --cron "0 2 * * *".',
    });
  return {
    schedule: {
      cron,
      ...(timezone !== undefined && { timezone }),
      pull: flag(options, 'pull') || schedule?.pull === true,
    },
    pullDirs: [...folders.experiments, home],
  };
}
