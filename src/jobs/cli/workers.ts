import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { shortId } from '../core/job.ts';
import { findJob } from './job-selector.ts';
import { workerLines } from './job-text.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
Rank, machine and process of each worker, how the cluster calls it, and its last heartbeat.

Example:
  nightmark job workers 3f9a1c`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a job, or any part that only it has')
      .option('--json', 'print them as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run([part = ''], options, context) {
    return withJobs(options, context, async ({ queue }) => {
      const job = await findJob(part, queue);
      const { stdout } = context;
      if (flag(options, 'json')) {
        const { id, registered, workers, ranks } = job;
        stdout.write(`${safeJson({ id, registered, workers, ranks })}\n`);
        return EXIT.fine;
      }
      stdout.write(`${shortId(job.id)}: ${job.registered} of ${job.workers} registered\n`);
      for (const line of workerLines(job, queue.now(), stdout)) stdout.write(`${line}\n`);
      return EXIT.fine;
    });
  },
};

export default command;
