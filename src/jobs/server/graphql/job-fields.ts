import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { shellQuote } from '../../../platform/core/text/shell-quote.ts';
import type { Job } from '../../core/job.ts';
import { shownStatus } from '../../core/shown-job.ts';
import { outputText } from '../output-files.ts';
import type { GraphqlContext } from './context.ts';
import { type SeriesFilter, seriesFields } from './series-fields.ts';

const ENTRIES_AT_ONCE = 5_000;

/** A job as the old type Job: what costs something is read when it is asked for. */
export function jobFields(job: Job, context: GraphqlContext) {
  const { queue } = context.effects.jobs;
  const text = (filename: string) => context.inTurn(() => fileText(job, filename, context));
  return {
    id: job.id,
    user: job.user,
    project: job.project,
    experiment: job.experiment,
    job: job.name,
    status: shownStatus(job, queue.now()),
    host: job.host,
    outputDirectory: job.outputDir,
    creationTime: job.createdAt,
    startTime: job.startedAt,
    endTime: job.endedAt,
    exception: job.exception,
    progress: typeof job.state['progress'] === 'number' ? job.state['progress'] : null,
    config: pairsOf(job.config),
    annotations: pairsOf(job.annotations),
    environment: environmentOf(job),
    images: Object.entries(job.images).map(([key, path]) => ({ key, path })),
    timings: job.timings.map(({ rank, ...timing }) => ({ ...timing, worker: rank })),
    logs: async () => (await loggedText(job, context)) ?? (await text('output.txt')),
    textFile: ({ filename }: { readonly filename: string }) => text(filename),
    jsonFile: async ({ filename }: { readonly filename: string }) =>
      parsed((await text(filename)) ?? 'null', filename),
    timeseries: (filter: SeriesFilter) => seriesFields(job, filter, context),
  };
}

function pairsOf(object: JsonObject) {
  return Object.entries(object).map(([key, value]) => ({ key, value }));
}

function environmentOf({ program, code }: Job) {
  return {
    script: program.type === 'script' ? program.path : program.argv.map(shellQuote).join(' '),
    clone: code && { path: code.type === 'path' ? code.path : null },
  };
}

/** Undefined: it has said nothing to the queue. */
async function loggedText(
  { id }: Job,
  { effects: { jobs }, budget }: GraphqlContext,
): Promise<string | undefined> {
  const messages: string[] = [];
  for (let after: string | undefined; ; ) {
    const asked = { worker: 0, limit: ENTRIES_AT_ONCE, ...(after !== undefined && { after }) };
    const { entries, next } = await jobs.queue.logs(id, asked);
    for (const { message } of entries) {
      budget.take('bytes', message.length + 1);
      messages.push(message);
    }
    if (entries.length < ENTRIES_AT_ONCE) break;
    after = next;
  }
  return messages.length === 0 ? undefined : messages.join('\n');
}

async function fileText(job: Job, filename: string, context: GraphqlContext): Promise<string | undefined> {
  const { disk, jobs } = context.effects;
  return outputText(job, filename, { disk, results: jobs.results, budget: context.budget });
}

function parsed(text: string, filename: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NightmarkError('JOBS_NOT_JSON', `${JSON.stringify(filename)} of the job holds no JSON.`, {
      hint: 'Ask for it as textFile.',
      cause: error,
    });
  }
}
