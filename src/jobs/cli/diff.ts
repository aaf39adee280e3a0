import { numberOption } from '../../executors/cli/place-options.ts';
import { homeLayout } from '../../home/core/layout.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { safeJson } from '../../platform/core/text/safe-json.ts';
import { type ComparedCode, compareCode } from '../app/compare-code.ts';
import { type ComparedSection, compareJobs } from '../core/compare-jobs.ts';
import type { Job } from '../core/job.ts';
import { diffText } from './diff-text.ts';
import { findJob } from './find-jobs.ts';
import type { JobHome } from './open-queue.ts';
import { declareQueue, withJobs } from './with-jobs.ts';

const EXAMPLES = `
Side by side, and only what differs: configuration, code (of two jobs also file by file), environment and results. Behind two
numbers stands how much the second has more than the first.

Examples:
  nightmark job diff 3f9a1c 77be02
  nightmark job diff 3f9a1c 77be02 --all                equal ones too
  nightmark job diff 3f9a1c 77be02 41cc9d               three or more
  nightmark job diff 3f9a1c 77be02 --json`;

const MOST_JOBS = 50;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id...>', 'ids of two or more jobs, or any parts that only they have')
      .option('--all', 'show what is equal, too')
      .option('--lines <n>', 'lines of differences of files, at most', '200')
      .option('--no-files', 'do not compare files')
      .option('--json', 'print it as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (home) => {
      if (words.length < 2 || words.length > MOST_JOBS)
        throw new NightmarkError(
          'JOBS_TO_COMPARE',
          `2 to ${MOST_JOBS} jobs are compared, not ${words.length}.`,
          {
            hint: 'For example: nightmark job diff 3f9a1c 77be02',
          },
        );
      const jobs: Job[] = [];
      for (const word of words) jobs.push(await findJob(word, home.queue));
      const now = home.queue.now();
      const sections = compareJobs(jobs, now);
      const code = options['files'] === false ? undefined : await codeOf(jobs, home, context);
      const isAll = flag(options, 'all');
      const mostLines = numberOption(options, 'lines') ?? 200;
      const { stdout } = context;
      if (flag(options, 'json')) stdout.write(`${safeJson(asJson(jobs, { sections, code, isAll }))}\n`);
      else stdout.write(diffText(jobs, { sections, code }, { now, isAll, mostLines, output: stdout }));
      return EXIT.fine;
    });
  },
};

export default command;

/** What one of them lacks is said, and the rest is compared nevertheless. */
async function codeOf(
  [first, second, ...others]: readonly Job[],
  { queue, home }: JobHome,
  context: CliContext,
): Promise<ComparedCode | undefined> {
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const { disk, env, signal, stderr, processId } = context;
  const archiver = await loadAdapter<Archiver>('archivers', 'tar');
  const staging = joinPath(homeLayout(home).staging, `diff-${processId}`);
  try {
    return await compareCode([first, second], staging, { queue, disk, env, signal, archiver });
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    stderr.write(`warning: the files cannot be compared. ${error.message}\n`);
    return undefined;
  }
}

interface Compared {
  readonly sections: readonly ComparedSection[];
  readonly code: ComparedCode | undefined;
  readonly isAll: boolean;
}

/** Missing values are null, and named in `missing` by their place, because null is a value too. */
function asJson(jobs: readonly Job[], { sections, code, isAll }: Compared) {
  return {
    jobs: jobs.map(({ id, project, experiment, name, status }) => ({
      id,
      project,
      experiment,
      name,
      status,
    })),
    sections: sections.map(({ title, rows }) => ({
      title,
      hidden: isAll ? 0 : rows.filter(({ isEqual }) => isEqual).length,
      rows: rows
        .filter(({ isEqual }) => isAll || !isEqual)
        .map(({ values, ...row }) => ({
          ...row,
          values: values.map((value) => value ?? null),
          missing: values.flatMap((value, at) => (value === undefined ? [at] : [])),
        })),
    })),
    ...(code && { files: code }),
  };
}
