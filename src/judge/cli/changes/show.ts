import { homeArgument } from '../../../home/cli/home-argument.ts';
import { type CommandModule, EXIT, flag, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { showChange } from '../../app/changes/show-change.ts';
import { describeDetail, detailJson } from './describe-detail.ts';
import { explanationOf } from './explanation.ts';
import { rulesOf, withHomeStore } from './open-home.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a change, or its beginning')
      .option('--home <folder>', 'the home', '.')
      .option('--json', 'print everything as JSON')
      .addHelpText('after', '\nExample:\n  nightmark changes show k3f9x2a --home ~/bench');
  },

  async run([id = ''], options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const { stdout, disk, clock } = context;
    return withHomeStore(home, context, async (store) => {
      if (!store) {
        throw new NightmarkError('CHANGES_UNKNOWN', `${home} has no results, and no changes.`, {
          hint: '--home names another home.',
        });
      }
      const effects = { disk, clock, store };
      const detail = await showChange({ home, id, rules: await rulesOf(home, context) }, effects);
      const explanation = await explanationOf(detail.change, { home, store }, context);
      stdout.write(
        flag(options, 'json')
          ? `${JSON.stringify(detailJson(detail, explanation))}\n`
          : describeDetail(detail, explanation, stdout),
      );
      return EXIT.fine;
    });
  },
};

export default command;
