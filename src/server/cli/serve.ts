import { resolve } from 'node:path';
import type { PictureMaker } from '../../charts/core/picture-maker.ts';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { ensureIndex, watchIndex } from '../../home/cli/home-index.ts';
import { removeServeNote, writeServeNote } from '../../home/cli/serve-note.ts';
import { commitLog } from '../../judge/cli/changes/open-home.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { ownWorker } from '../../platform/cli/worker-identity.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isLoopbackHost } from '../../platform/server/access/guard-access.ts';
import { createServer } from '../create-server.ts';
import { homePlans } from './home-plans.ts';
import { listen } from './listen.ts';
import { openChanges } from './open-changes.ts';
import { openDuets } from './open-duets.ts';
import { openJobs } from './open-jobs.ts';
import { openPoints } from './open-points.ts';
import { pointsSettings } from './points-settings.ts';
import { portOf } from './port-of.ts';
import { readToken } from './serve-token.ts';
import { loadTokens, watchTokens } from './token/token-file.ts';

const DEFAULT_PORT = '4177';

const EXAMPLES = `
On this machine no token is needed. Beyond it readers show one, unless --public; whoever writes always does. Tokens for
others are made by "nightmark token create NAME --scope read|write|admin".

Examples:
  nightmark serve my-home
  nightmark serve my-home --host 0.0.0.0
  nightmark serve my-home --host 0.0.0.0 --public --read-only`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[HOME]', 'folder of the home (default: this one)')
      .option('--host <address>', 'address to listen on; beyond this machine a token is needed', '127.0.0.1')
      .option('--port <number>', 'port to listen on; 0 takes any free one', DEFAULT_PORT)
      .option('--public', 'let everybody who reaches the address read, without a token')
      .option(
        '--token-file <file>',
        'file with a token that may do everything (mode 600); also NIGHTMARK_TOKEN',
      )
      .option('--read-only', 'let nobody change anything, whatever token they have; takes no points')
      .option('--udp-port <number>', 'port for points in UDP packets; 0: none (default: 8092)')
      .option('--udp-host <address>', 'address for UDP; packets need no token (default: 127.0.0.1)')
      .option('--udp-database <name>', 'database for points in UDP packets (default: nightmark)')
      .option('--udp-strict', 'refuse a whole UDP packet when one of its lines is bad')
      .option('--keep-not-finite', 'store nan and inf instead of refusing them')
      .addHelpText('after', EXAMPLES);
  },

  async run([given], options, context) {
    const home = await homeArgument(given, context);
    const host = textOption(options, 'host') ?? '127.0.0.1';
    const port = portOf(textOption(options, 'port') ?? DEFAULT_PORT);
    const isLoopback = isLoopbackHost(host);
    const isReadOnly = flag(options, 'readOnly');
    const settings = await pointsSettings(home, isReadOnly ? { ...options, udpPort: '0' } : options, context);
    const writeToken = await tokenIn(options, context);
    const token = flag(options, 'public') ? undefined : writeToken;
    const asksReaders = !isLoopback && !flag(options, 'public');
    if (asksReaders && token === undefined && loadTokens(home).length === 0) throw tokenNeeded(host);
    await ensureIndex(home, context);
    const index = watchIndex(home);
    const report = (line: string) => context.stderr.write(`${line}\n`);
    const points = settings && (await openPoints(home, settings, context));
    const jobs = await openJobs(home, context);
    const app = createServer(
      {
        ...{ home, isLoopback, asksReaders, isReadOnly, version: context.version },
        ...(token && { token }),
        ...(writeToken && { writeToken }),
      },
      {
        ...{
          ...context,
          index,
          report,
          tokens: watchTokens(home, report),
          plans: homePlans(home, context),
          commits: await commitLog(),
        },
        changes: await openChanges(home, context),
        duets: openDuets(context),
        pictures: () => loadAdapter<PictureMaker>('pictures', 'resvg'),
        ...(points && { points: points.service }),
        ...(jobs && { jobs: jobs.service }),
      },
    );
    try {
      const address = await listen(app, { host, port, hostName: context.hostName });
      context.stdout.write(`Serving ${home} at ${address}\n`);
      if (isReadOnly) context.stderr.write('Nobody can change anything through it (--read-only).\n');
      if (points && !isReadOnly) await writeServeNote(home, { url: address, ...ownWorker(context) }, context);
      if (!isLoopback && !asksReaders) {
        context.stderr.write('Everybody who reaches this address can read it (--public).\n');
      }
      await untilAborted(context);
    } finally {
      await removeServeNote(home, context.processId, context);
      await app.close();
      await jobs?.close();
      await points?.close();
      index.close();
    }
    return EXIT.fine;
  },
};

export default command;

/** Beyond this machine somebody must be able to show one. */
function tokenNeeded(host: string): NightmarkError {
  return new NightmarkError('SERVE_TOKEN_NEEDED', `Beyond this machine (${host}) reading needs a token.`, {
    hint: 'Make one with "nightmark token create NAME --scope read", set NIGHTMARK_TOKEN or give --token-file FILE; or let everybody read with --public.',
  });
}

function tokenIn(options: Options, context: CliContext): Promise<string | undefined> {
  const file = textOption(options, 'tokenFile');
  return readToken(file === undefined ? undefined : resolve(context.cwd, file), context);
}

function untilAborted({ signal }: CliContext): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
