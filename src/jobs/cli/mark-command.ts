import { type CliContext, type CommandModule, EXIT, flag, type Options } from '../../platform/cli/command.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { type Job, shortId } from '../core/job.ts';
import { chosenJobs, declareSelector } from './job-selector.ts';
import { jobTitle } from './job-text.ts';
import { declareQueue, withJobs } from './open-queue.ts';

/** An annotation, and the message that confirms it. */
interface Mark {
  readonly key: string;
  /** Undefined removes it. */
  readonly value: JsonValue | undefined;
  readonly message: string;
}

/** A command that annotates all selected jobs. */
export function markCommand(
  mark: (options: Options) => Mark,
  { examples, isRemovable }: { readonly examples: string; readonly isRemovable: boolean },
): CommandModule {
  return {
    configure(parser) {
      declareSelector(parser);
      if (isRemovable) parser.option('--remove', 'remove the mark');
      parser.option('--json', 'print the jobs as JSON');
      declareQueue(parser);
      parser.addHelpText('after', `\nExamples:\n${examples}`);
    },

    run(words, options, context) {
      return withJobs(options, context, async (jobs) => {
        const chosen = await chosenJobs(words, options, jobs);
        const { key, value, message } = mark(options);
        const marked: Job[] = [];
        for (const { id } of chosen) {
          const job = await jobs.queue.annotate(id, key, value);
          if (job !== undefined) marked.push(job);
        }
        printMarked(marked, message, { options, context });
        return EXIT.fine;
      });
    },
  };
}

export function printMarked(
  jobs: readonly Job[],
  message: string,
  { options, context: { stdout } }: { readonly options: Options; readonly context: CliContext },
): void {
  const isJson = flag(options, 'json');
  if (isJson) stdout.write(`${safeJson(jobs.map(({ id, annotations }) => ({ id, annotations })))}\n`);
  else for (const job of jobs) stdout.write(`${shortId(job.id)} ${jobTitle(job)} ${message}\n`);
}
