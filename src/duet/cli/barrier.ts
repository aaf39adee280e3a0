import { loadAdapter } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { BarrierParty, Barriers } from '../core/barrier.ts';
import { holdCommand } from './held-command.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<name>', 'any text; those who give the same one wait for each other')
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
    const barriers = await loadAdapter<Barriers>('barriers', 'socket');
    const parties = parseCount(options, 'parties', 2);
    const seconds = parseCount(options, 'timeout', 0);
    const dir = context.env['NIGHTMARK_BARRIER_DIR'];
    const party = barriers.join({ name, parties, stays, ...(dir !== undefined && { dir }) });
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
  throw new NightmarkError('CLI_INVALID_OPTION', `--${name} "${text}" is no whole number from ${least} on.`);
}
