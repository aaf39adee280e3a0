import { NightmarkError } from '../../core/errors.ts';
import type { CommandModule } from '../command.ts';

/** `nightmark job` alone: the help names the commands behind it. */
const command: CommandModule = {
  configure(parser) {
    parser.argument('[command]', 'one of the commands below');
  },
  run([word]) {
    throw new NightmarkError(
      'CLI_NO_SUBCOMMAND',
      word === undefined ? 'nightmark job needs a command.' : `nightmark job has no command "${word}".`,
      { hint: 'nightmark job --help lists them.' },
    );
  },
};

export default command;
