import { homeArgument } from '../../home/cli/home-argument.ts';
import { type CommandModule, EXIT, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { parseDuration } from '../../platform/config/durations-and-sizes.ts';
import {
  type AccessToken,
  isExpired,
  isScope,
  SCOPES,
  type Scope,
} from '../../platform/core/access-token.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { tokenHashes } from '../../platform/server/access/presented-tokens.ts';
import { loadTokens, newToken, saveTokens } from './token-file.ts';

const LONGEST_NAME = 100;
const LONGEST_LIFE_MS = 100 * 365 * 86_400_000;

const EXAMPLES = `
The token is printed once, and kept as a hash in HOME/.nightmark/tokens.json. A running server accepts it at once.

Scopes: read (read everything), write (also send points, submit and change jobs, judge changes), admin (also
delete databases).

Examples:
  nightmark token create grafana --scope read --home my-home
  nightmark token create ci --scope write --expires 90d
  curl -H "Authorization: Bearer nm_..." http://host:4177/api/status`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<name>', 'who or what it is for')
      .requiredOption('--scope <scope>', 'what its holder may do: read, write or admin')
      .option('--expires <duration>', 'valid for so long: 12h, 90d (default: until it is revoked)')
      .option('--home <folder>', 'folder of the home (default: this one)')
      .option('--json', 'print the token and its facts as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([name = ''], options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const now = context.clock.now();
    const others = loadTokens(home).filter((one) => !(one.name === name && isExpired(one, now)));
    refuseName(name, others);
    const scope = scopeIn(options);
    const lifeMs = lifeIn(options);
    const token = newToken();
    const made: AccessToken = {
      ...{ name, scope, ...tokenHashes(token), createdAt: now },
      ...(lifeMs !== undefined && { expiresAt: now + lifeMs }),
    };
    saveTokens(home, [...others, made]);
    const { expiresAt } = made;
    if (flag(options, 'json')) {
      const facts = { name, scope, token, createdAt: now, ...(expiresAt !== undefined && { expiresAt }) };
      context.stdout.write(`${JSON.stringify(facts)}\n`);
      return EXIT.fine;
    }
    const until =
      expiresAt === undefined ? 'until it is revoked' : `until ${new Date(expiresAt).toISOString()}`;
    context.stderr.write(
      `Token "${visible(name)}" with scope ${scope}, valid ${until}. It is shown only now:\n`,
    );
    context.stdout.write(`${token}\n`);
    return EXIT.fine;
  },
};

export default command;

function refuseName(name: string, others: readonly AccessToken[]): void {
  if (name.trim() === '' || name.length > LONGEST_NAME) {
    throw new NightmarkError('SERVE_TOKEN_NAME', `${JSON.stringify(name)} cannot be the name of a token.`, {
      hint: `Say who it is for, in 1 to ${LONGEST_NAME} characters: nightmark token create ci --scope write`,
    });
  }
  if (others.some((one) => one.name === name)) {
    throw new NightmarkError('SERVE_TOKEN_EXISTS', `There is a token "${visible(name)}" already.`, {
      hint: `Choose another name, or revoke that one first: nightmark token revoke ${visible(name)}`,
    });
  }
}

function scopeIn(options: Options): Scope {
  const text = textOption(options, 'scope');
  if (isScope(text)) return text;
  throw new NightmarkError('SERVE_TOKEN_SCOPE', `There is no scope "${visible(text ?? '')}".`, {
    hint: `Give one of ${SCOPES.join(', ')}.`,
  });
}

function lifeIn(options: Options): number | undefined {
  const text = textOption(options, 'expires');
  if (text === undefined) return undefined;
  const life = parseDuration(text);
  if (life !== undefined && life <= LONGEST_LIFE_MS) return life;
  throw new NightmarkError('SERVE_TOKEN_EXPIRY', `"${visible(text)}" is not a valid lifetime of a token.`, {
    hint: 'Give a number and a unit, at most 100 years: 12h, 90d.',
  });
}
