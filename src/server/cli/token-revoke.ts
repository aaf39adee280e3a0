import { homeArgument } from '../../home/cli/home-argument.ts';
import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { loadTokens, saveTokens } from './token-file.ts';

const EXAMPLES = `
A running server refuses it from then on; browsers that logged in with it are logged out.

Examples:
  nightmark token revoke ci --home my-home`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<name>', 'name of the token')
      .option('--home <folder>', 'folder of the home (default: this one)')
      .option('--json', 'print what was revoked as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([name = ''], options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const tokens = loadTokens(home);
    const left = tokens.filter((one) => one.name !== name);
    if (left.length === tokens.length) {
      const names = tokens.map((one) => visible(one.name)).join(', ');
      throw new NightmarkError('SERVE_TOKEN_UNKNOWN', `There is no token "${visible(name)}".`, {
        hint: names === '' ? `No token was made for ${home}.` : `There are: ${names}.`,
      });
    }
    saveTokens(home, left);
    context.stdout.write(
      flag(options, 'json')
        ? `${JSON.stringify({ revoked: name, left: left.length })}\n`
        : `Revoked "${visible(name)}"; ${left.length} left.\n`,
    );
    return EXIT.fine;
  },
};

export default command;
