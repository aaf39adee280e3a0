import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { ensureIndex, watchIndex } from '../../home/cli/home-index.ts';
import { removeServeNote, writeServeNote } from '../../home/cli/serve-note.ts';
import { commitLog } from '../../judge/cli/changes/open-home.ts';
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
import { homePlans, judgeMissing, openChanges, openDuets } from './home-services.ts';
import { openJobs } from './open-jobs.ts';
import { openPoints } from './open-points.ts';
import { parsePort, pointsSettings } from './points-settings.ts';
import { loadTokens, watchTokens } from './token-file.ts';

const DEFAULT_PORT = '4177';

const EXAMPLES = `
On this machine no token is needed. Beyond it readers need one, unless --public; writers always do. Tokens for
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
      .option('--read-only', 'accept no changes, whatever the token; takes no points')
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
    const port = parsePort(textOption(options, 'port') ?? DEFAULT_PORT);
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
        pictures: async () => (await import('../../charts/adapters/resvg.ts')).resvg,
        ...(points && { points: points.service }),
        ...(jobs && { jobs: jobs.service }),
      },
    );
    let judging: Promise<void> | undefined;
    try {
      const address = await listen(app, { host, port, hostName: context.hostName });
      judging = judgeMissing(home, context);
      context.stdout.write(`Serving ${home} at ${address}\n`);
      if (isReadOnly) context.stderr.write('It accepts no changes (--read-only).\n');
      if (points && !isReadOnly) await writeServeNote(home, { url: address, ...ownWorker(context) }, context);
      if (!isLoopback && !asksReaders) {
        context.stderr.write('Everybody who reaches this address can read it (--public).\n');
      }
      await untilAborted(context);
    } finally {
      await removeServeNote(home, context.processId, context);
      await judging;
      await app.close();
      await jobs?.close();
      await points?.close();
      index.close();
    }
    return EXIT.fine;
  },
};

export default command;

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

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Name of this machine, for the address to print when it listens on all of them. */
  readonly hostName: string;
}

/** Starts listening and returns the address to open. */
export async function listen(app: FastifyInstance, { host, port, hostName }: ListenOptions): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '');
  try {
    await app.listen({ host: bare, port });
  } catch (error) {
    throw listenFailure(error, bare, port);
  }
  const address = app.server.address();
  const realPort = typeof address === 'object' && address !== null ? address.port : port;
  const name = bare === '0.0.0.0' || bare === '::' ? hostName : bare;
  return `http://${name.includes(':') ? `[${name}]` : name}:${realPort}/`;
}

function listenFailure(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new NightmarkError('SERVE_PORT_TAKEN', `Port ${port} on ${host} is taken.`, {
        hint: 'Another "nightmark serve" may hold it. --port 0 takes any free one.',
        cause: error,
      });
    case 'EACCES':
      return new NightmarkError('SERVE_PORT_DENIED', `Port ${port} on ${host} is not allowed to this user.`, {
        hint: 'Choose one above 1023, for example --port 4177.',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new NightmarkError('SERVE_HOST_UNKNOWN', `This machine has no address "${host}".`, {
        hint: 'Use --host 127.0.0.1, an address that "ip addr" lists, or 0.0.0.0 for all of them.',
        cause: error,
      });
    default:
      return error;
  }
}

/** Shorter ones can be guessed. */
const SHORTEST = 16;
const MAKE_ONE = '(umask 077; openssl rand -hex 24 > token)';

/** The token that readers need, from a private file or the environment; undefined when none is set. */
export async function readToken(
  file: string | undefined,
  { disk, env }: Pick<CliContext, 'disk' | 'env'>,
): Promise<string | undefined> {
  const token = file === undefined ? env['NIGHTMARK_TOKEN'] : await tokenInFile(file, disk);
  if (token === undefined || token === '') return undefined;
  if (token.length < SHORTEST) {
    const place = file ?? 'NIGHTMARK_TOKEN';
    const message = `The token in ${place} has ${token.length} characters; at least ${SHORTEST} are needed.`;
    throw new NightmarkError('SERVE_TOKEN_SHORT', message, { hint: `Make one with: ${MAKE_ONE}` });
  }
  return token;
}

async function tokenInFile(file: string, disk: CliContext['disk']): Promise<string> {
  const facts = await disk.stat(file);
  if (facts?.type !== 'file') {
    throw new NightmarkError('SERVE_TOKEN_MISSING', `There is no token file ${file}.`, {
      hint: `Make one with: ${MAKE_ONE}`,
    });
  }
  if ((facts.mode & 0o077) !== 0) {
    const mode = facts.mode.toString(8);
    throw new NightmarkError(
      'SERVE_TOKEN_READABLE',
      `Others may read the token file ${file} (mode ${mode}).`,
      {
        hint: `chmod 600 ${file}`,
      },
    );
  }
  const token = (await disk.readText(file, { maxBytes: 4096 }))?.trim() ?? '';
  if (token === '') throw new NightmarkError('SERVE_TOKEN_MISSING', `The token file ${file} is empty.`);
  return token;
}
