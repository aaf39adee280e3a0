import { fileLocks } from '../../platform/adapters/file-locks.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
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
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type FollowCounts, followFiles } from '../app/follow-files.ts';
import { type Destination, destinationOf } from '../client/destination.ts';
import type { Follower } from '../core/follower.ts';
import { creatingSender } from './post-query.ts';
import { senderSink } from './sender-sink.ts';

const DEFAULT_TO = 'http://127.0.0.1:4177';
const EVERY_MS = 1_000;

const EXAMPLES = `
Follows files named *tfevents.* and progress.csv in all folders below DIR. How far each was sent is kept in
DIR/.nightmark/follow.json: started again, it continues there, and no row is lost or doubled. A database that is
not there yet is created.

Examples:
  nightmark follow runs                                        to nightmark serve on this machine, until Ctrl-C
  nightmark follow runs --once --to 'http://influx:8086?db=rl'  what is there now, to InfluxDB
  nightmark follow runs --to udp:localhost:8092 --tag user=ada  to Telegraf, with a tag on every point`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<DIR>', 'folder with the logs of experiments')
      .option('--to <address>', 'udp:HOST:PORT, or http://HOST:PORT with ?db=NAME', DEFAULT_TO)
      .option('--tag <name=value...>', 'a tag for every point; may be given several times')
      .option('--once', 'send what is there, and end')
      .option('--state <file>', 'where to keep its position (default: DIR/.nightmark/follow.json)')
      .option('--json', 'print the counts as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([given = '.'], options, context) {
    const dir = await folderOf(given, context);
    const tags = tagsOf(options);
    const { sender, address } = destinationFor(options, context);
    const state = textOption(options, 'state');
    const stateFile =
      state === undefined ? joinPath(dir, '.nightmark/follow.json') : resolvePath(context.cwd, state);
    const release = await lockState(stateFile, context);
    try {
      if (!flag(options, 'once'))
        context.stderr.write(`Following ${visible(dir)} to ${address}; Ctrl-C ends it.\n`);
      const counts = await followFiles(
        { dir, stateFile, tags, isOnce: flag(options, 'once'), everyMs: EVERY_MS },
        {
          ...context,
          followers: await loadAll<Follower>('followers'),
          sink: senderSink(sender),
          report: (line) => context.stderr.write(`${visible(line)}\n`),
        },
      );
      context.stdout.write(flag(options, 'json') ? `${JSON.stringify(counts)}\n` : describe(counts, address));
    } finally {
      sender.close();
      release();
    }
    return EXIT.fine;
  },
};

export default command;

async function folderOf(given: string, { cwd, disk }: CliContext): Promise<string> {
  const dir = resolvePath(cwd, given);
  if ((await disk.stat(dir))?.type === 'folder') return dir;
  throw new NightmarkError('FOLLOW_NO_FOLDER', `There is no folder ${dir}.`, {
    hint: 'Name the folder that holds the logs, or will hold them: make it first.',
  });
}

function destinationFor(options: Options, { env }: CliContext): Destination {
  const to = textOption(options, 'to') ?? DEFAULT_TO;
  const token = env['NIGHTMARK_TOKEN'];
  const found = destinationOf(to, token, { holds: true });
  if (found) {
    const place = found.place && { ...found.place, ...(token !== undefined && { token }) };
    return place ? { ...found, sender: creatingSender(found.sender, place) } : found;
  }
  // A password in the address must not be shown.
  const shown = to.replace(/\/\/[^/]*@/, '//***@');
  throw new NightmarkError('FOLLOW_TO', `Invalid address to send to: "${shown}".`, {
    hint: 'Give udp:HOST:PORT or http://HOST:PORT?db=NAME; a token goes into NIGHTMARK_TOKEN.',
  });
}

function tagsOf(options: Options): Record<string, string> {
  const given = options['tag'];
  const pairs = (Array.isArray(given) ? given : []).map((pair: string) => {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new NightmarkError('FOLLOW_TAG', `Invalid tag: "${pair}".`, { hint: 'Write --tag name=value.' });
  });
  return Object.fromEntries(pairs);
}

async function lockState(stateFile: string, { disk, processId }: CliContext): Promise<() => void> {
  await disk.makeDir(resolvePath(stateFile, '..'));
  const lock = await fileLocks.acquire(`${stateFile}.lock`, { pid: processId });
  if (lock.state === 'acquired') return lock.release;
  throw new NightmarkError(
    'FOLLOW_BUSY',
    `Process ${lock.holder['pid']} follows with ${stateFile} already.`,
    {
      hint: 'End that one first, or keep a state of your own with --state FILE.',
    },
  );
}

function describe(
  { files, records, lines, refusals, waiting, problems }: FollowCounts,
  address: string,
): string {
  const parts = [
    `Sent ${lines} values of ${records} rows and events from ${files} files to ${address}.`,
    ...(files === 0 ? ['No file named *tfevents.* or progress.csv was found.'] : []),
    ...(waiting > 0 ? [`${waiting} files end within a row or event, which waits for its rest.`] : []),
    ...(refusals > 0
      ? [`The receiver refused lines, which are not counted, of ${refusals} batches; see above.`]
      : []),
    ...(problems > 0 ? [`${problems} problems; see above.`] : []),
  ];
  return `${parts.join('\n')}\n`;
}
