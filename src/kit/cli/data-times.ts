import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { timesTree } from '../core/trial-table.ts';
import { writeData, writeStatus } from '../stage-files.ts';

/** nightmark data times TABLE: means, medians and deviations of what `nightmark time` measured. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<table>', 'METHOD-TASK.csv')
      .option('-o, --output-dir <dir>', 'write data.json there instead of to stdout')
      .option('--status', 'write status.json beside it')
      .option('--json', 'for compatibility: the answer is always JSON')
      .addHelpText('after', '\nExample:\n  nightmark data times "$2/command-time.csv" -o "$3" --status');
  },
  async run([table = ''], options, context) {
    const text = await context.disk.readText(resolvePath(context.cwd, table));
    if (text === undefined) {
      throw new NightmarkError('KIT_NO_TABLE', `Could not find "${table}".`, {
        hint: 'The run stage writes it (nightmark time): check its status.',
      });
    }
    const data = timesTree(text);
    if (Object.keys(data).length === 0) {
      throw new NightmarkError('KIT_TRIALS', `${table} has no row with a time.`, {
        hint: 'Did the run stage fail?',
      });
    }
    const output = textOption(options, 'outputDir');
    if (output === undefined) {
      context.stdout.write(`${JSON.stringify(data)}\n`);
      return EXIT.fine;
    }
    const folder = resolvePath(context.cwd, output);
    writeData(folder, data);
    if (flag(options, 'status')) writeStatus(folder, true, 'success');
    context.stderr.write(`${joinPath(folder, 'data.json')} written\n`);
    return EXIT.fine;
  },
};

export default command;
