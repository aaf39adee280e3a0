import type { Source, SourceControl } from '../../../git/core/source-control.ts';
import { readHome } from '../../../home/config/read-home.ts';
import type { Home, Schedule } from '../../../home/core/home.ts';
import { type CliContext, flag, type Options, textOption } from '../../../platform/cli/command.ts';
import { parseDuration, SHORTEST_WATCH_MS } from '../../../platform/config/durations-and-sizes.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { SourceTips } from '../../app/schedule/schedule-state.ts';

export interface ScheduleSetup {
  readonly schedule: Schedule;
  /** Folders whose repository may be pulled; the first that is in one counts. */
  readonly pullDirs: readonly string[];
  /** Checked for new commits. */
  readonly sources: readonly Source[];
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
  const commitsEveryMs = newCommits(options) ?? schedule?.commitsEveryMs;
  if (cron === undefined && commitsEveryMs === undefined)
    throw new NightmarkError('SCHEDULE_MISSING', `${home} has no schedule.`, {
      hint: 'Add schedule: "0 2 * * *" to its definition, or use --cron "0 2 * * *" or --new-commits 10m.',
    });
  const sources = sourcesOf(definition);
  if (commitsEveryMs !== undefined && sources.length === 0) throw nothingToWatch(definition);
  return {
    schedule: {
      ...(cron !== undefined && { cron }),
      ...(commitsEveryMs !== undefined && { commitsEveryMs }),
      ...(timezone !== undefined && { timezone }),
      pull: flag(options, 'pull') || schedule?.pull === true,
    },
    pullDirs: [...folders.experiments, home],
    sources,
  };
}

function newCommits(options: Options): number | undefined {
  const text = textOption(options, 'newCommits');
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= SHORTEST_WATCH_MS) return ms;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `invalid --new-commits "${text}": expected a duration of at least 10s.`,
    {
      hint: 'For example: --new-commits 10m',
    },
  );
}

function nothingToWatch({ dir }: Home): NightmarkError {
  return new NightmarkError('SCHEDULE_INVALID', `${dir} waits for new commits, but measures no source.`, {
    hint: 'Name a repository in "sources" and in "source" of an experiment.',
  });
}

/** The sources that the active tasks of a home are measured with, each once. */
function sourcesOf({ tasks }: Home): readonly Source[] {
  const active = tasks.filter(({ state }) => state === 'active').flatMap(({ sources }) => sources);
  return [
    ...new Map(active.map((source) => [JSON.stringify([source.git, source.ref ?? null]), source])).values(),
  ];
}

/** Reads the newest commit of each repository; nothing is fetched. */
export async function checkSources(
  sources: readonly Source[],
  control: SourceControl,
  signal: CancelSignal,
): Promise<SourceTips> {
  const commits: Record<string, string> = {};
  const problems: string[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    try {
      const commit = await control.tip(source, signal);
      commits[freeKey(source, commits)] = commit;
    } catch (error) {
      if (!signal.aborted) problems.push(messageOf(error));
    }
  }
  return { commits, problems };
}

/** The address may hold a secret, and is not written down. */
function freeKey({ name, ref }: Source, taken: Readonly<Record<string, string>>): string {
  const key = ref === undefined ? name : `${name} (${ref})`;
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key} ${number}`;
    if (!Object.hasOwn(taken, numbered)) return numbered;
  }
}
