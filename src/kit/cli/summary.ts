import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { describeTimes } from '../core/trial-table.ts';
import { sortData, writeStatus, writeSummary } from '../stage-files.ts';
import { textOrStdin } from './kit-options.ts';

/** nightmark summary DIR --title TITLE: writes the summary of a night. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<dir>', 'folder of summary.json')
      .requiredOption('--title <text>', 'a headline')
      .option('--value <text>', 'what people read; - reads it from stdin')
      .option('--data <dir>', 'instead: the newest numbers of this folder, seconds as milliseconds')
      .option('--status', 'write status.json too')
      .option('--json', 'print the summary')
      .addHelpText(
        'after',
        '\nExamples:\n  nightmark summary "$3" --title Sorting --data "$2" --status\n  nightmark summary "$3" --title Sorting --value "all fine"',
      );
  },
  async run([dir = '.'], options, context) {
    const folder = resolvePath(context.cwd, dir);
    const title = textOption(options, 'title') ?? '';
    const value = await valueText(options, context);
    writeSummary(folder, title, value);
    if (flag(options, 'status')) writeStatus(folder, true, 'success');
    const path = joinPath(folder, 'summary.json');
    if (flag(options, 'json')) context.stdout.write(`${JSON.stringify({ title, value, path })}\n`);
    return EXIT.fine;
  },
};

export default command;

async function valueText(options: Options, context: CliContext): Promise<string> {
  const [value, data] = [textOption(options, 'value'), textOption(options, 'data')];
  if ((value === undefined) === (data === undefined)) {
    throw new NightmarkError('CLI_INVALID_OPTION', 'A summary needs --value or --data, one of them.', {
      hint: 'nightmark summary DIR --title Sorting --data DATA',
    });
  }
  if (value !== undefined) return textOrStdin(value, context);
  const newest = sortData(resolvePath(context.cwd, data ?? '')).at(-1);
  if (newest !== undefined)
    return describeTimes(newest)
      .map((line) => `${line}\n`)
      .join('');
  throw new NightmarkError('KIT_NO_DATA', `There is no data of a night in ${data}.`, {
    hint: 'The analyze stage leaves data.json: check its status.',
  });
}
