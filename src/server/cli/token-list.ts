import { homeArgument } from '../../home/cli/home-argument.ts';
import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { textTable } from '../../platform/cli/text-table.ts';
import { type AccessToken, isExpired } from '../../platform/core/access-token.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { loadTokens } from './token-file.ts';

const EXAMPLES = `
Examples:
  nightmark token list --home my-home
  nightmark token list --json`;

const command: CommandModule = {
  configure(parser) {
    parser
      .option('--home <folder>', 'folder of the home (default: this one)')
      .option('--json', 'print the tokens as JSON, without what is kept of them')
      .addHelpText('after', EXAMPLES);
  },

  async run(_args, options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const now = context.clock.now();
    const tokens = loadTokens(home).map((one) => factsOf(one, now));
    if (flag(options, 'json')) {
      context.stdout.write(`${JSON.stringify({ tokens })}\n`);
      return EXIT.fine;
    }
    if (tokens.length === 0) {
      context.stderr.write('No token was made for this home: nightmark token create NAME --scope read\n');
      return EXIT.fine;
    }
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const rows = tokens.map(({ name, scope, createdAt, expiresAt, isExpired: isOver }) => [
      visible(name),
      scope,
      day(createdAt),
      expiresAt === undefined ? 'when it is revoked' : `${day(expiresAt)}${isOver ? ' (over)' : ''}`,
    ]);
    for (const line of textTable([['name', 'scope', 'made', 'ends'], ...rows]))
      context.stdout.write(`${line}\n`);
    return EXIT.fine;
  },
};

export default command;

function factsOf(token: AccessToken, now: number) {
  const { hash: _hash, pageHash: _pageHash, ...facts } = token;
  return { ...facts, isExpired: isExpired(token, now) };
}
