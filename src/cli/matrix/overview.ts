import { NightmarkError } from '../../core/errors.ts';
import type { CommandModule } from '../command.ts';

/** `nightmark matrix` alone: the help names the commands behind it. */
const command: CommandModule = {
  configure(parser) {
    parser.argument('[command]', 'one of the commands below');
  },
  run([word]) {
    throw new NightmarkError(
      'CLI_NO_SUBCOMMAND',
      word === undefined ? 'nightmark matrix needs a command.' : `nightmark matrix has no command "${word}".`,
      { hint: 'nightmark matrix --help lists them.' },
    );
  },
};

export default command;
