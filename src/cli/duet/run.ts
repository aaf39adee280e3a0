import { NightmarkError } from '../../core/errors.ts';
import { type CommandModule, EXIT, flag } from '../command.ts';
import { planFiles } from './plan-files.ts';
import { showPlan } from './show-plan.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<file...>', 'duet.yml files, one after another')
      .option('--filter <name...>', 'only these duets')
      .option('--dry-run', 'show the plan and run nothing')
      .option('--json', 'print JSON');
  },

  async run(files, options, context) {
    const filter = Array.isArray(options['filter']) ? options['filter'] : [];
    const planned = await planFiles(files, { filter }, context);
    if (!flag(options, 'dryRun')) throw new NightmarkError('CLI_NOT_YET', 'This command is being built.');
    showPlan(planned, { context, json: flag(options, 'json') });
    return planned.refused.length > 0 ? EXIT.error : EXIT.fine;
  },
};

export default command;
