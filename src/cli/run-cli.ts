import { CommanderError, Command as Parser } from 'commander';
import { type CliContext, EXIT, type ExitCode, type Options } from '../platform/cli/command.ts';
import { NightmarkError } from '../platform/core/errors.ts';
import { commands, type Entry } from './registry.ts';

/** The whole program as a function: arguments in, exit code out. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.error;
    if (context.signal.aborted) {
      context.stderr.write('Interrupted.\n');
      return EXIT.interrupted;
    }
    context.stderr.write(describe(error, context));
    return EXIT.error;
  }
}

async function dispatch(argv: readonly string[], context: CliContext): Promise<number> {
  const found = findCommand(argv);
  if (!found) return showOverview(argv, context);

  const { entry, path, rest } = found;
  const { default: command } = await entry.load();
  const parser = newParser(`nightmark ${path}`, context).description(entry.summary);
  if (entry.subcommands) parser.addHelpText('after', describeSubcommands(path, entry.subcommands));
  command.configure(parser);
  let exitCode: number = EXIT.fine;
  parser.action(async () => {
    exitCode = await command.run(parser.args, parser.opts<Options>(), {
      ...context,
      words: argv,
      runCommand: runCli,
    });
  });
  await parser.parseAsync([...(command.arrange?.(rest) ?? rest)], { from: 'user' });
  return exitCode;
}

function describeSubcommands(path: string, subcommands: readonly Entry[]): string {
  const width = Math.max(...subcommands.map(({ name }) => name.length));
  const lines = subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `\nCommands (nightmark ${path} <command> --help shows more):\n${lines.join('\n')}`;
}

/** The longest sequence of arguments that names a command; the rest are its own. */
function findCommand(
  argv: readonly string[],
): { entry: Entry; path: string; rest: readonly string[] } | undefined {
  const [first, second, ...others] = argv;
  const entry = commands.find((command) => command.name === first);
  if (!entry) return undefined;
  const under = entry.subcommands?.find((command) => command.name === second);
  if (under) return { entry: under, path: `${entry.name} ${under.name}`, rest: others };
  return { entry, path: entry.name, rest: argv.slice(1) };
}

async function showOverview(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const parser = newParser('nightmark', context)
    .description('Continuous benchmarking and experiments you can trust.')
    .version(context.version, '-V, --version')
    .usage('<command> [options]');
  for (const { name, summary } of commands) parser.command(name).description(summary).helpOption(false);
  parser.addHelpText(
    'after',
    `\nnightmark <command> --help shows more about one command.\nPages that it names (docs/...) are in ${context.packageDir}`,
  );
  if (argv.length === 0) {
    parser.outputHelp();
    return EXIT.error;
  }
  await parser.parseAsync(argv, { from: 'user' });
  return EXIT.fine;
}

function newParser(name: string, { stdout, stderr }: CliContext): Parser {
  return new Parser(name)
    .exitOverride()
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns,
      getErrHelpWidth: () => stderr.columns,
    });
}

function describe(error: unknown, { version }: CliContext): string {
  if (error instanceof NightmarkError) {
    const hint = error.hint === undefined ? '' : `\n  ${error.hint.replaceAll('\n', '\n  ')}`;
    return `error: ${error.message}${hint}\n  [${error.code}]\n`;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `This is a bug in Nightmark ${version}. Please report it with these lines:\n${stack}\n`;
}
