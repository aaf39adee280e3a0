import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { shownJob } from '../core/shown-job.ts';
import { findJob } from './find-jobs.ts';
import { showText } from './show-text.ts';
import { declareQueue, withJobs } from './with-jobs.ts';

const EXAMPLES = `
Examples:
  nightmark job show 3f9a1c            what it is, when and how it ran, and what came of it
  nightmark job show 3f9a1c -c         with its configuration and environment
  nightmark job show 3f9a1c --json     all of it, for programs`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a job, or any part that only it has')
      .option('-c, --config', 'with the configuration and the environment')
      .option('--json', 'print it as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run([part = ''], options, context) {
    return withJobs(options, context, async ({ queue, results }) => {
      const job = await findJob(part, queue);
      const { stdout } = context;
      if (flag(options, 'json')) stdout.write(`${safeJson(shownJob(job, queue.now()))}\n`);
      else
        stdout.write(
          showText(job, { now: queue.now(), results, hasConfig: flag(options, 'config'), context }),
        );
      return EXIT.fine;
    });
  },
};

export default command;
