import { readLedger } from '../../home/app/ledger-file.ts';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { findChange } from '../../judge/app/changes/read-change.ts';
import { withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { recordDuet } from '../app/confirm-change.ts';
import { metricRequest } from './bisect-options.ts';
import { confirmationText, confirmInHome } from './confirm-changes.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a change, or its beginning')
      .option('--home <folder>', 'the home', '.')
      .option(
        '--metric <name>',
        'compare this value of the experiment instead; wall: the time of its command (default: that of the change)',
      )
      .option('--json', 'print the answer as JSON')
      .option('-q, --quiet', 'no progress')
      .addHelpText('after', HELP);
  },

  async run([id = ''], options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const isQuiet = flag(options, 'quiet') || flag(options, 'json');
    const { disk, clock, stdout } = context;
    return withHomeStore(home, context, async (store) => {
      if (!store) {
        throw new NightmarkError('CHANGES_UNKNOWN', `${home} has no results, and no changes.`, {
          hint: '--home names another home.',
        });
      }
      const record = findChange((await readLedger(home, disk)).ledger.changes, id);
      const name = textOption(options, 'metric');
      const metric =
        name === undefined || record.series.kind !== 'value'
          ? undefined
          : await metricRequest({ experiment: record.series.experiment, name }, home, context);
      const found = await confirmInHome({ record, home, isQuiet, ...(metric && { metric }) }, store, context);
      const change = await recordDuet({ home, id: record.id, found }, { disk, store, clock });
      stdout.write(
        flag(options, 'json')
          ? `${JSON.stringify({ id: record.id, ...found, change })}\n`
          : confirmationText(record.id, found),
      );
      return EXIT_CODES[found.state];
    });
  },
};

export default command;

const EXIT_CODES = {
  confirmed: EXIT.fine,
  withdrawn: EXIT.nothingToCompare,
  unclear: EXIT.undecided,
} as const;

const HELP = `
Runs the experiment on the commits on either side of the change, in pairs, compares the value that changed, and records
the result: a change that is real shows again, chance does not.
Exit codes: 0 confirmed, 1 error, 2 withdrawn, 5 unclear, 130 interrupted.
Example:
  nightmark changes confirm k3f9x2a --home ~/bench
  nightmark changes confirm k3f9x2a --metric wall`;
