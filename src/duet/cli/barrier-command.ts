import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { type BarrierParty, joinBarrier } from '../adapters/barrier/barrier.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<name>', 'any text; processes that give the same name wait for each other')
      .argument('[command...]', 'after --: started when all have arrived; its exit code becomes ours')
      .requiredOption('--parties <number>', 'how many have to arrive')
      .option('--timeout <seconds>', 'how long to wait for the others; 0 for ever', '3600')
      .option('--stdio', 'stay for many rounds: a line on stdin arrives, a line on stdout says go')
      .addHelpText(
        'after',
        '\nExit codes: 0 all have arrived, 1 they have not, 130 interrupted; that of the command where one was started.',
      );
  },

  async run([name = '', ...argv], options, context) {
    const stays = flag(options, 'stdio');
    if (stays && argv.length > 0) {
      throw new NightmarkError('CLI_INVALID_OPTION', '--stdio is for rounds, not for starting a command.');
    }
    const parties = parseCount(options, 'parties', 2);
    const seconds = parseCount(options, 'timeout', 0);
    const dir = context.env['NIGHTMARK_BARRIER_DIR'];
    const party = joinBarrier({ name, parties, stays, ...(dir !== undefined && { dir }) });
    const wait = () =>
      party.arrive({ signal: context.signal, ...(seconds > 0 && { timeoutMs: seconds * 1000 }) });
    try {
      if (stays) return await followRounds(wait, context);
      return argv.length === 0 ? await waitOnce(wait) : await startTogether(argv, { party, wait }, context);
    } finally {
      await party.leave();
    }
  },
};

export default command;

type Wait = () => Promise<number>;

async function waitOnce(wait: Wait): Promise<number> {
  await wait();
  return EXIT.fine;
}

async function followRounds(wait: Wait, { stdin, stdout, signal }: CliContext): Promise<number> {
  const lines = (stdin ?? NO_LINES)[Symbol.asyncIterator]();
  const stopped = new Promise<IteratorResult<string>>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
  });
  try {
    while (!(await Promise.race([lines.next(), stopped])).done) stdout.write(`go ${await wait()}\n`);
  } finally {
    await lines.return?.();
  }
  return signal.aborted ? EXIT.interrupted : EXIT.fine;
}

const NO_LINES: AsyncIterable<string> = { async *[Symbol.asyncIterator]() {} };

async function startTogether(
  argv: readonly string[],
  { party, wait }: { readonly party: BarrierParty; readonly wait: Wait },
  context: CliContext,
): Promise<number> {
  const held = holdCommand(argv, context);
  try {
    await wait();
  } catch (error) {
    held.drop();
    throw error;
  }
  const code = held.go();
  await party.leave();
  return await code;
}

function parseCount(options: Options, name: string, least: number): number {
  const text = textOption(options, name) ?? '';
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count < 2 ** 31) return count;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `--${name} "${text}" is not a whole number of at least ${least}.`,
  );
}

/** A command whose process exists already and waits for its start. */
interface HeldCommand {
  /** Starts it; resolves with its exit code, 128 + n when signal n ended it. */
  go(): Promise<number>;
  /** It never begins. */
  drop(): void;
}

/**
 * Making a process takes milliseconds that differ from one to the next: it is made before the barrier. A shell waits for a line
 * on a pipe of its own and then becomes the command.
 */
function holdCommand(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): HeldCommand {
  const script = 'read -r _ <&3 || exit 1; exec 3<&-; exec "$@"';
  const child = spawn('sh', ['-c', script, 'sh', ...argv], {
    cwd,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const starter = child.stdio[3] as NodeJS.WritableStream;
  starter.on('error', () => {}); // It ended before: its exit code is reported.
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  ended.catch(() => {}); // Reported by `go`.
  return {
    go() {
      starter.end('\n');
      return ended;
    },
    drop: () => starter.end(),
  };
}
