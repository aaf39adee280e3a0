import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { dirName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { FAILURE, processResults, type StepLog, type StepReport } from '../app/process-results.ts';
import { readMatbenchFile } from '../config/matbench-file.ts';
import { planProcess } from '../core/process-plan.ts';

const SUMMARY = 'summary.json';

const command: CommandModule = {
  configure(parser) {
    parser
      .requiredOption('-c, --config <file>', 'YAML with a block "matbench:"')
      .option('--test-directory <folder>', 'results to process; overrides the configuration')
      .option('-o, --output <folder>', 'output folder (default: $ARTIFACT_DIR, or else "artifacts")')
      .option('--json', 'print the summary as JSON')
      .addHelpText('after', HELP);
  },

  async run(_, options, context) {
    const { cwd, env, disk, stdout, stderr, signal, runCommand } = context;
    if (!runCommand) throw new Error('This command runs others, but the context cannot run commands.');
    const config = resolvePath(cwd, textOption(options, 'config') ?? '');
    const { block, warnings } = await readMatbenchFile(config, { disk });
    for (const { file, line = 1, column = 1, message, hint } of warnings) {
      stderr.write(
        `${file}:${line}:${column}: warning: ${message}${hint === undefined ? '' : ` (${hint})`}\n`,
      );
    }
    const out = resolvePath(cwd, textOption(options, 'output') ?? env['ARTIFACT_DIR'] ?? 'artifacts');
    const given = textOption(options, 'testDirectory');
    const steps = planProcess(block, {
      ...{ base: dirName(config), out, env },
      ...(given !== undefined && { testDirectory: resolvePath(cwd, given) }),
    });
    await disk.makeDir(out);
    const run = (args: readonly string[], log: StepLog) => runCommand(args, logged(context, log));
    const reports = await processResults(steps, out, { disk, signal, run });
    const failed = reports.filter(({ state, failsTest }) => state === 'failed' && failsTest);
    const exitCode = signal.aborted ? EXIT.interrupted : exitCodeOf(failed);
    const json = `${JSON.stringify({ exitCode, output: out, steps: reports }, null, 2)}\n`;
    await disk.writeText(joinPath(out, SUMMARY), json);
    stdout.write(flag(options, 'json') ? json : describe(reports, out));
    return exitCode;
  },
};

export default command;

const HELP = `
Runs the steps that the block configures: download, parse, payloads and their schema, history, analysis, export, reports. Each step writes
a log (N_STEP.log); ${SUMMARY} has the result of each step, and ${FAILURE} the errors. See docs/guide/matrix-reports.md.`;

/** A regression has its own exit code, unless something else failed, too. */
function exitCodeOf(failed: readonly StepReport[]): number {
  if (failed.length === 0) return EXIT.fine;
  return failed.every(({ answer }) => answer === EXIT.regression) ? EXIT.regression : EXIT.error;
}

/** The command of a step has the same context, except for its output. */
function logged(context: CliContext, log: StepLog): CliContext {
  const terminal = { isTerminal: false, columns: 100, hasColor: false };
  return {
    ...context,
    stdout: { ...terminal, write: (text) => log.result(text) },
    stderr: { ...terminal, write: (text) => log.message(text) },
  };
}

function describe(reports: readonly StepReport[], out: string): string {
  const width = Math.max(...reports.map(({ name }) => name.length));
  const lines = reports.map(({ name, state, message, log, failsTest }) => {
    const allowed = state === 'failed' && !failsTest ? ' (does not fail the test)' : '';
    const where = log === undefined ? '' : ` [${log}]`;
    return `${state.padEnd(7)}  ${name.padEnd(width)}  ${visible(message)}${allowed}${where}\n`;
  });
  return `${lines.join('')}Output folder: ${out}\n`;
}
