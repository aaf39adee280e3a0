import type { CommandModule } from '../command.ts';

const command: CommandModule = {
  configure() {},
  async run() {
    return 1;
  },
};

export default command;
