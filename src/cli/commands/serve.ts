import { resolve } from 'node:path';
import { NightmarkError } from '../../core/errors.ts';
import { createServer } from '../../server/create-server.ts';
import { isLoopbackHost } from '../../server/hosts.ts';
import { type CommandModule, EXIT, flag, type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';
import { ensureIndex } from '../home/ensure-index.ts';
import { homeArgument } from '../home/home-argument.ts';
import { watchIndex } from '../home/index-source.ts';
import { listen } from '../serve/listen.ts';
import { readToken } from '../serve/serve-token.ts';

const DEFAULT_PORT = '4177';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[HOME]', 'folder of the home (default: this one)')
      .option('--host <address>', 'address to listen on; beyond this machine a token is needed', '127.0.0.1')
      .option('--port <number>', 'port to listen on; 0 takes any free one', DEFAULT_PORT)
      .option('--public', 'let everybody who reaches the address read, without a token')
      .option(
        '--token-file <file>',
        'file with the token that readers need (mode 600); also NIGHTMARK_TOKEN',
      );
  },

  async run([given], options, context) {
    const home = await homeArgument(given, context);
    const host = textOption(options, 'host') ?? '127.0.0.1';
    const port = portOf(textOption(options, 'port') ?? DEFAULT_PORT);
    const isLoopback = isLoopbackHost(host);
    const token = await tokenFor(options, isLoopback, context);
    await ensureIndex(home, context);
    const index = watchIndex(home);
    const app = createServer(
      { home, isLoopback, ...(token !== undefined && { token }) },
      { ...context, index, report: (line) => context.stderr.write(`${line}\n`) },
    );
    try {
      const address = await listen(app, { host, port, hostName: context.hostName });
      context.stdout.write(`Serving ${home} at ${address}\n`);
      if (!isLoopback && token === undefined) {
        context.stderr.write('Everybody who reaches this address can read it (--public).\n');
      }
      await untilAborted(context);
    } finally {
      await app.close();
      index.close();
    }
    return EXIT.fine;
  },
};

export default command;

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new NightmarkError('SERVE_PORT_INVALID', `"${text}" is no port.`, {
    hint: 'Give a number from 1 to 65535, or 0 for any free port.',
  });
}

/** A token that is set is asked for everywhere; beyond this machine there must be one, or --public. */
async function tokenFor(
  options: Options,
  isLoopback: boolean,
  context: CliContext,
): Promise<string | undefined> {
  if (flag(options, 'public')) return undefined;
  const file = textOption(options, 'tokenFile');
  const token = await readToken(file === undefined ? undefined : resolve(context.cwd, file), context);
  if (token !== undefined || isLoopback) return token;
  throw new NightmarkError(
    'SERVE_TOKEN_NEEDED',
    `Beyond this machine (${textOption(options, 'host')}) reading needs a token.`,
    { hint: 'Set NIGHTMARK_TOKEN or give --token-file FILE, or let everybody read with --public.' },
  );
}

function untilAborted({ signal }: CliContext): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
