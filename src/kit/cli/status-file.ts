import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { writeStatus } from '../stage-files.ts';
import { textOrStdin } from './kit-options.ts';

/** nightmark status-file true MESSAGE DIR: writes the status of a stage. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<success>', 'true or false')
      .argument('<message>', 'what happened; - reads it from stdin')
      .argument('<dir>', 'folder that the stage writes to')
      .option('--json', 'print {"path"} of the file')
      .addHelpText(
        'after',
        '\nExamples:\n  nightmark status-file true "12 cases measured" "$2"\n  make 2>&1 | tail -n 50 | nightmark status-file false - "$2"',
      );
  },
  async run([success = '', message = '', dir = '.'], options, context) {
    if (!['true', 'false', '1', '0'].includes(success)) {
      throw new NightmarkError('CLI_INVALID_OPTION', `"${success}" is neither true nor false.`, {
        hint: 'nightmark status-file true MESSAGE DIR',
      });
    }
    const folder = resolvePath(context.cwd, dir);
    writeStatus(folder, success === 'true' || success === '1', await textOrStdin(message, context));
    if (flag(options, 'json')) {
      context.stdout.write(`${JSON.stringify({ path: joinPath(folder, 'status.json') })}\n`);
    }
    return EXIT.fine;
  },
};

export default command;
