import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { joinPath } from '../../platform/core/path.ts';

/** nightmark helpers: the folder that stage scripts know as BENCHMARK_DEPS. */
const command: CommandModule = {
  configure(parser) {
    parser
      .option('--json', 'print {"helpers": FOLDER}')
      .addHelpText('after', '\nBy hand: BENCHMARK_DEPS="$(nightmark helpers)" ./run.sh CONFIG OUTPUT');
  },
  async run(_args, options, { packageDir, stdout }) {
    const helpers = joinPath(packageDir, 'kit');
    stdout.write(flag(options, 'json') ? `${JSON.stringify({ helpers })}\n` : `${helpers}\n`);
    return EXIT.fine;
  },
};

export default command;
