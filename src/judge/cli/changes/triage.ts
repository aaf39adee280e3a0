import { homeArgument } from '../../../home/cli/home-argument.ts';
import type { ChangeState } from '../../../home/core/changes/change.ts';
import { CHANGE_STATES } from '../../../home/core/changes/ledger-line.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  textOption,
} from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { triageChanges } from '../../app/changes/triage-changes.ts';
import { changeText } from '../../core/changes/change-text.ts';
import { withHomeStore } from './open-home.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<ids...>', 'ids of changes, or their beginnings')
      .requiredOption('--state <state>', `${CHANGE_STATES.join(', ')}`)
      .option('--note <text>', 'why')
      .option('--author <name>', 'who decides (default: your name in git, else USER)')
      .option('--home <folder>', 'the home', '.')
      .option('--json', 'print the changes as JSON')
      .addHelpText('after', HELP);
  },

  async run(ids, options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const state = stateOf(textOption(options, 'state') ?? '');
    const note = textOption(options, 'note');
    const author = textOption(options, 'author') ?? (await userOf(context));
    const { stdout, disk, clock } = context;
    return withHomeStore(home, context, async (store) => {
      if (!store) {
        throw new NightmarkError('CHANGES_UNKNOWN', `${home} has no results, and no changes.`, {
          hint: '--home names another home.',
        });
      }
      const request = {
        ...{ home, ids, state },
        ...(note !== undefined && { note }),
        ...(author !== undefined && { author }),
      };
      const changes = await triageChanges(request, { disk, clock, store });
      if (flag(options, 'json')) stdout.write(`${JSON.stringify(changes)}\n`);
      else
        for (const change of changes)
          stdout.write(`${change.id} is ${change.state}: ${changeText(change)}\n`);
      return EXIT.fine;
    });
  },
};

export default command;

const HELP = `
States:
  new        not reviewed yet; also undoes a review
  confirmed  it is real, and stays open
  expected   it is intended: the new level becomes the reference
  fixed      it is fixed: values are compared with the level before it
  false      nothing changed: both sides are one level
Example:
  nightmark changes triage k3f9x2a 7dx --state expected --note "larger input since Monday"`;

function stateOf(text: string): ChangeState {
  const state = CHANGE_STATES.find((known) => known === text);
  if (state !== undefined) return state;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --state: "${text}".`, {
    hint: `Choose among: ${CHANGE_STATES.join(', ')}`,
  });
}

/** As git would name them, else as the system does. */
async function userOf({ env, disk, userHome }: CliContext): Promise<string | undefined> {
  const config = await disk.readText(joinPath(userHome, '.gitconfig'));
  const inGit = /^\[user\][^[]*?^\s*name\s*=\s*"?([^"\n]+)/m.exec(config ?? '')?.[1]?.trim();
  const names = [env['GIT_AUTHOR_NAME'], inGit, env['USER'], env['LOGNAME']];
  return names.find((name) => name !== undefined && name !== '');
}
