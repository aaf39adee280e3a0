import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { HOME_OPTION, openJobHome, POSTGRES_OPTION } from './open-queue.ts';
import { EXCLUDE_OPTION, MAX_PACKAGE_OPTION, packageCode, refuseNoFolder } from './package-code.ts';

const EXAMPLES = `
Stores the code of a folder in the queue, once by its content, and prints the hash by which jobs name it. Only needed where
many jobs are submitted one by one with the code as it was before the first: nightmark job submit packs by itself.

Examples:
  nightmark job pack                     the code of this folder
  nightmark job pack src --exclude '*.pt'
  nightmark job submit --package HASH --script train.py --set lr=0.1`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[folder]', 'folder with the code (default: this one)')
      .option(...EXCLUDE_OPTION)
      .option(...MAX_PACKAGE_OPTION)
      .option(...HOME_OPTION)
      .option(...POSTGRES_OPTION)
      .option('--json', 'print hash and names of the files as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([folder = '.'], options, context) {
    const root = resolvePath(context.cwd, folder);
    await refuseNoFolder(root, context);
    const jobs = await openJobHome(options, context);
    try {
      const { code, names } = await packageCode(root, { options, context, jobs });
      context.stderr.write(`${counted(names.length, 'file')} of ${visible(root)}.\n`);
      context.stdout.write(
        flag(options, 'json')
          ? `${JSON.stringify({ hash: code.hash, name: code.name, names })}\n`
          : `${code.hash}\n`,
      );
      return EXIT.fine;
    } finally {
      await jobs.queue.close();
    }
  },
};

export default command;
