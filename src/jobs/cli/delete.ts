import { type CliContext, type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { type DeletedJobs, deleteJobs } from '../app/delete-jobs.ts';
import { shortId } from '../core/job.ts';
import { deleteMetrics } from './job-metrics.ts';
import { chosenJobs, declareSelector } from './job-selector.ts';
import { confirm, effectsOf, nothingDone, reasonOf, WAIT_MS } from './kill.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
Deletes jobs for good: the job with its logs, its folder below the results, its time series, and packages of code that no
job needs any more (an hour after they were stored). What runs is cancelled first.

Examples:
  nightmark job delete 3f9a1c
  nightmark job delete --project playground --status FAILED --yes`;

const command: CommandModule = {
  configure(parser) {
    declareSelector(parser);
    parser
      .option('-y, --yes', 'do not ask for confirmation')
      .option('--force', 'also jobs whose worker has not released them')
      .option('--json', 'print what was deleted as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const { queue, results, home } = jobs;
      const chosen = await chosenJobs(words, options, jobs);
      if (!(await confirm('delete', chosen, { options, context, now: queue.now() })))
        return nothingDone(context);
      const done = await deleteJobs(
        chosen,
        { reason: reasonOf(context), results, waitMs: WAIT_MS, isForced: flag(options, 'force') },
        {
          ...effectsOf(context),
          ...{ queue, disk: context.disk },
          deleteMetrics: (ids) => deleteMetrics(ids, home, context),
        },
      );
      if (flag(options, 'json')) context.stdout.write(`${JSON.stringify(done)}\n`);
      else printDeleted(done, context);
      if (context.signal.aborted) return EXIT.interrupted;
      return done.kept.length > 0 ? EXIT.someFailed : EXIT.fine;
    });
  },
};

export default command;

function printDeleted({ deleted, kept, packages }: DeletedJobs, { stdout, stderr }: CliContext): void {
  const also = packages.length === 0 ? '' : ` and ${plainly(counted(packages.length, 'package'))} of code`;
  stdout.write(`Deleted ${plainly(counted(deleted.length, 'job'))}${also}.\n`);
  if (kept.length === 0) return;
  stderr.write(
    `Kept ${kept.map(shortId).join(', ')}: cancelled, but the worker has not released it. Try again, or add --force.\n`,
  );
}
