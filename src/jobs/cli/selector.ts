import type { Command as Parser } from 'commander';
import { type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type JobSelection, selectedJobs } from '../app/select-jobs.ts';
import { JOB_STATUSES, type Job } from '../core/job.ts';
import type { StatusFilter } from '../core/job-queue.ts';
import { parseSearch, parseWhere } from '../core/search/parse-search.ts';
import { wholeIds } from './find-jobs.ts';
import type { JobHome } from './open-queue.ts';

const STATUSES: readonly StatusFilter[] = [...JOB_STATUSES, 'UNRESPONSIVE', 'QUEUE'];

/** How jobs are chosen, the same in every command. */
export function declareSelector(parser: Parser): void {
  parser
    .argument('[id...]', 'ids of jobs, or any part that only one has, such as the last six digits')
    .option('--name <regex>', 'jobs whose name matches')
    .option('--experiment <name>', 'jobs of this experiment')
    .option('--project <name>', 'jobs of this project')
    .option('--user <name>', 'jobs of this user')
    .option('--status <status>', `${STATUSES.join(', ')}`)
    .option(
      '--where <expression>',
      'by configuration and fields, such as "lr > 0.1 and status == \'FAILED\'"',
    )
    .option('--search <text>', 'a regular expression in name, experiment or description');
}

/** What the options say; throws when they say nothing and everything would be meant. */
export async function readSelection(
  words: readonly string[],
  options: Options,
  { queue }: JobHome,
): Promise<JobSelection> {
  const where = textOption(options, 'where');
  const search = parseSearch(textOption(options, 'search') ?? '');
  const name = parseSearch(textOption(options, 'name') ?? '');
  const status = textOption(options, 'status');
  return {
    ...(words.length > 0 && { ids: [...new Set(await wholeIds(words, queue))] }),
    ...textFields(options),
    ...(status !== undefined && { status: statusOf(status) }),
    ...(name?.type === 'text' && { name }),
    searches: [
      ...(where === undefined ? [] : [parseWhere(where)]),
      ...(search === undefined ? [] : [search]),
    ],
  };
}

/** The jobs that a command is to change: none chosen is an error, and so is a choice that finds none. */
export async function chosenJobs(
  words: readonly string[],
  options: Options,
  jobs: JobHome,
): Promise<readonly Job[]> {
  const selection = await readSelection(words, options, jobs);
  if (Object.keys(selection).length === 1 && selection.searches.length === 0)
    throw new NightmarkError('JOBS_NONE_CHOSEN', 'Which jobs are meant?', {
      hint: 'Give ids, or --name, --experiment, --project, --user, --status, --search or --where.',
    });
  const found: Job[] = [];
  for await (const job of selectedJobs(selection, Number.MAX_SAFE_INTEGER, jobs.queue)) found.push(job);
  if (found.length > 0) return found;
  throw new NightmarkError('JOBS_NONE_FOUND', 'No job is like that.', {
    hint: 'nightmark job list takes the same options, and shows what they find.',
  });
}

function textFields(options: Options): Pick<JobSelection, 'experiment' | 'project' | 'user'> {
  return Object.fromEntries(
    ['experiment', 'project', 'user'].flatMap((name) => {
      const text = textOption(options, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function statusOf(text: string): StatusFilter {
  const upper = text.toUpperCase();
  const found = STATUSES.find(
    (status) => status === upper || (upper === 'CANCELLED' && status === 'CANCELED'),
  );
  if (found !== undefined) return found;
  const near = nearest(upper, STATUSES);
  throw new NightmarkError('JOBS_STATUS', `"${visible(text)}" is no status of a job.`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${STATUSES.join(', ')}.`,
  });
}
