import { type CommandModule, EXIT } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isJsonObject } from '../../platform/core/text/json.ts';
import { atPath } from '../core/data-series.ts';
import { dataOf } from './kit-options.ts';

/** nightmark data get EXPERIMENT [KEY...]: the newest data of an experiment, or a part of it. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<experiment>', 'its name, or a folder with data files (with a "/")')
      .argument('[key...]', 'path to a part of it')
      .option('--home <dir>', 'the home; default: $NIGHTMARK_HOME, else the current folder')
      .option('--json', 'for compatibility: the answer is always JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  nightmark data get sorting\n  nightmark data get sorting quick 1000',
      );
  },
  async run([experiment = '', ...path], options, context) {
    const newest = dataOf(experiment, options, context).at(-1) ?? {};
    const value = atPath(newest, path);
    if (value === undefined) {
      const above = atPath(newest, path.slice(0, -1));
      throw new NightmarkError('KIT_NO_DATA', `The newest data of ${experiment} has no ${path.join(' ')}.`, {
        hint: isJsonObject(above)
          ? `There is: ${Object.keys(above).slice(0, 20).join(', ')}.`
          : 'Name fewer keys.',
      });
    }
    context.stdout.write(`${JSON.stringify(value)}\n`);
    return EXIT.fine;
  },
};

export default command;
