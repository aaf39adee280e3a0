import { type CommandModule, EXIT } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { findJob } from './job-selector.ts';
import { printMarked } from './mark-command.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
The note is the job's description: lists are grouped by it, and --search looks into it. An empty text removes it.

Examples:
  nightmark job note 3f9a1c "learning rate was too high"
  nightmark job note 3f9a1c ""`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a job, or any part that only it has')
      .argument('<text>', 'text of the note; empty removes it')
      .option('--json', 'print the job as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run([part = '', text = ''], options, context) {
    return withJobs(options, context, async ({ queue }) => {
      const { id } = await findJob(part, queue);
      const job = await queue.annotate(id, 'description', text === '' ? undefined : text);
      if (job === undefined)
        throw new NightmarkError('JOBS_UNKNOWN', `There is no job ${id}.`, {
          hint: 'It was deleted just now.',
        });
      printMarked([job], text === '' ? 'has no note' : 'has the note', { options, context });
      return EXIT.fine;
    });
  },
};

export default command;
