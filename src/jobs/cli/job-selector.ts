import type { Command as Parser } from 'commander';
import { type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { nearest, nearestFirst } from '../../platform/core/text/nearest.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type JobSelection, selectedJobs } from '../app/select-jobs.ts';
import { JOB_STATUSES, type Job, shortId } from '../core/job.ts';
import type { JobQueue, StatusFilter } from '../core/job-queue.ts';
import { parseSearch, parseWhere } from '../core/search/parse-search.ts';
import type { JobHome } from './open-queue.ts';

const STATUSES: readonly StatusFilter[] = [...JOB_STATUSES, 'UNRESPONSIVE', 'QUEUE'];

/** Options that select jobs, the same in every command. */
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

/** The selection of the options. */
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

/** The jobs that a command changes. An empty selection is an error, and so is one without matches. */
export async function chosenJobs(
  words: readonly string[],
  options: Options,
  jobs: JobHome,
): Promise<readonly Job[]> {
  const selection = await readSelection(words, options, jobs);
  if (Object.keys(selection).length === 1 && selection.searches.length === 0)
    throw new NightmarkError('JOBS_NONE_CHOSEN', 'No jobs selected.', {
      hint: 'Give ids, or --name, --experiment, --project, --user, --status, --search or --where.',
    });
  const found: Job[] = [];
  for await (const job of selectedJobs(selection, Number.MAX_SAFE_INTEGER, jobs.queue)) found.push(job);
  if (found.length > 0) return found;
  throw new NightmarkError('JOBS_NONE_FOUND', 'No job matches.', {
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
  throw new NightmarkError('JOBS_STATUS', `Invalid status: "${visible(text)}".`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${STATUSES.join(', ')}.`,
  });
}

/** Suggestions come from the newest jobs. */
const MAX_COMPARED = 2_000;
const MAX_SUGGESTIONS = 3;
const SHOWN_DIGITS = 6;
/** Six digits of one id are in a few others of a hundred thousand. */
const MAX_MATCHES = 5_000;

/** Full ids from an id, or any unique part of it, such as its last six digits. */
export async function wholeIds(parts: readonly string[], queue: JobQueue): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const part of parts) ids.push(await wholeId(part, queue));
  return ids;
}

async function wholeId(part: string, queue: JobQueue): Promise<string> {
  const digits = part.toLowerCase();
  const found = /^[0-9a-f]{1,24}$/.test(digits) ? await queue.idsWith(digits, MAX_MATCHES) : [];
  // The last six digits are what people see: they win over the same digits elsewhere in another id.
  const ends = digits.length >= SHOWN_DIGITS ? found.filter((id) => id.endsWith(digits)) : [];
  const [only, other] = ends.length > 0 ? ends : found;
  if (only !== undefined && other === undefined) return only;
  const shown = visible(part).slice(0, 60);
  if (only === undefined)
    throw new NightmarkError('JOBS_UNKNOWN', `There is no job "${shown}".`, {
      hint: await nearestIdsHint(part, queue),
    });
  const several = ends.length > 0 ? ends : found;
  const more = several.length > 5 ? ' ...' : '';
  throw new NightmarkError(
    'JOBS_AMBIGUOUS',
    `"${shown}" is part of several ids: ${several.slice(0, 5).join(', ')}${more}.`,
    { hint: 'Give more digits.' },
  );
}

/** One job, whole. */
export async function findJob(part: string, queue: JobQueue): Promise<Job> {
  const id = await wholeId(part, queue);
  const job = await queue.job(id);
  if (job !== undefined) return job;
  throw new NightmarkError('JOBS_UNKNOWN', `There is no job ${id}.`, { hint: 'It was deleted just now.' });
}

async function nearestIdsHint(part: string, queue: JobQueue): Promise<string> {
  const newest = await queue.idsWith('', MAX_COMPARED);
  if (newest.length === 0) return 'The queue is empty.';
  const isShort = part.length <= 8;
  const near = nearestFirst(part, isShort ? newest.map(shortId) : newest).slice(0, MAX_SUGGESTIONS);
  return `The nearest ids are ${near.join(', ')}. nightmark job list shows all; the last six digits are enough.`;
}
