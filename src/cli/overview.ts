import type { CommandModule } from '../platform/cli/command.ts';
import { NightmarkError } from '../platform/core/errors.ts';

/** A word that only has commands behind it: the help names them. */
export function overviewOf(name: string): CommandModule {
  return {
    configure(parser) {
      parser.argument('[command]', 'one of the commands below');
    },
    run([word]) {
      throw new NightmarkError(
        'CLI_NO_SUBCOMMAND',
        word === undefined
          ? `nightmark ${name} needs a command.`
          : `nightmark ${name} has no command "${word}".`,
        { hint: `nightmark ${name} --help lists them.` },
      );
    },
  };
}
