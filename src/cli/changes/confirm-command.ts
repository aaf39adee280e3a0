import type { ConfirmEffects } from '../../app/changes/confirm-change.ts';
import { NightmarkError } from '../../core/errors.ts';
import type { ChangeRecord } from '../../core/model/change.ts';
import { type CommandModule, EXIT, flag, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';
import { homeArgument } from '../home/home-argument.ts';
import { confirmationText, confirmInHome } from './confirm.ts';

/** Finds a change of a home by its id, for the time of the work. */
export type WithChange = <T>(
  at: { readonly home: string; readonly id: string; readonly context: CliContext },
  work: (record: ChangeRecord, store: ConfirmEffects['store']) => Promise<T>,
) => Promise<T>;

/** nightmark changes confirm ID */
export function confirmCommand(withChange: WithChange): CommandModule {
  return {
    configure(parser) {
      parser
        .argument('<id>', 'id of a change, or its beginning')
        .option('--home <folder>', 'the home', '.')
        .option('--json', 'print the answer as JSON')
        .option('-q, --quiet', 'no progress')
        .addHelpText(
          'after',
          '\nRuns the experiment on the commits on either side of the change, in pairs.\nExit codes: 0 confirmed, 1 error, 2 withdrawn or unclear, 130 interrupted.\nFor example: nightmark changes confirm k3f9x2a --home nights',
        );
    },

    async run([id], options, context) {
      if (id === undefined)
        throw new NightmarkError('CLI_INVALID_OPTION', 'Which change should be confirmed?');
      const home = await homeArgument(textOption(options, 'home'), context);
      const isQuiet = flag(options, 'quiet') || flag(options, 'json');
      return withChange({ home, id, context }, async (record, store) => {
        const found = await confirmInHome({ record, home, isQuiet }, store, context);
        const text = flag(options, 'json')
          ? `${JSON.stringify({ id: record.id, ...found })}\n`
          : confirmationText(record.id, found);
        context.stdout.write(text);
        return found.state === 'confirmed' ? EXIT.fine : EXIT.nothingToCompare;
      });
    },
  };
}
