import { NightmarkError } from '../../core/errors.ts';
import type { CommandModule } from '../command.ts';

const command: CommandModule = {
  configure(parser) {
    parser.argument('[words...]');
  },
  run() {
    throw new NightmarkError('CLI_NOT_YET', 'This command is being built.');
  },
};

export default command;
