import { createHash } from 'node:crypto';
import { declarePlace, loadExecutor } from '../../executors/cli/place-options.ts';
import { localMachine } from '../../home/adapters/machine/local-machine.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import { fileLocks } from '../../platform/adapters/file-locks.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
} from '../../platform/cli/command.ts';
import type { MatrixRunEffects } from '../app/run/run-effects.ts';
import { type MatrixOutcome, runMatrix } from '../app/run/run-matrix.ts';
import { parseSettingsText } from '../config/read-matrix-file.ts';
import { remoteScript } from '../core/remote-script.ts';
import { type PlannedMatrix, planMatrix, showMatrixPlan } from './plan-matrix.ts';
import { countResults, describeOutcome, matrixReporter, outcomeJson } from './run-reporter.ts';
import { storeRequestOf, storeRun } from './save-payloads.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<file>', 'a matrix: a benchmark file, or one with "matrix:" and "run:"')
      .option('--results <dir>', 'folder of the results')
      .option('--expe <names>', 'only these experiments, with commas between them')
      .option('--filter <rules>', 'only tests with these values: key=v1:v2,key2=v3')
      .option('--jobs <n>', 'tests to run in parallel; default: 1, on a cluster 100')
      .option('--order <order>', 'given or random')
      .option('--seed <n>', 'seed of the random order; default: random, and recorded')
      .option('--timeout <time>', 'timeout of a test, such as 15m')
      .option('--retries <n>', 'retries of a failed test')
      .option(
        '--telemetry [what]',
        'sample the machine during each test: cpu,gpu,5s; default: cpu each second',
      )
      .option(
        '--measure <names>',
        'measure the command of each test into its measures.json: wall,cpu,instructions,cycles,cache-misses',
      )
      .option('--workload <file>', 'how the tests are read, for --store: a .yml file, or a module')
      .option('--store <home>', 'store the KPIs of the tests in this home, and check them for changes')
      .option('--stop-on-error', 'start no further test after one has failed')
      .option('--rerun-failed', 'only tests that failed before')
      .option('--force', 'all tests, also those that succeeded before')
      .option('--dry-run', 'show folders and commands and run nothing')
      .option('--remote-script', 'print a bash script that runs the tests elsewhere')
      .option('--json', 'print JSON')
      .option('--exit-count', "the original's exit code: the number of failed tests, at most 255")
      .option('--compat-lists', '"4, 8" is a list of two values, as in files of 2022')
      .option('--run', 'for old scripts: tests are run unless --dry-run is given')
      .addHelpText('after', HELP);
    declarePlace(parser);
  },

  async run([file = ''], options, context) {
    const storing = await storeRequestOf(options, context);
    const planned = await planMatrix(file, options, context);
    if (!planned) return EXIT.error;
    if (flag(options, 'dryRun')) {
      await showMatrixPlan(planned, { context, json: flag(options, 'json') });
      return finish(planned, EXIT.fine, context);
    }
    if (planned.settings.isRemote) {
      const { timeoutMs } = planned.settings;
      const definition = { ...planned.definition, ...(timeoutMs !== undefined && { timeoutMs }) };
      context.stdout.write(remoteScript(definition, planned.tests));
      return finish(planned, EXIT.fine, context);
    }
    const outcome = await execute(planned, context);
    const { stdout } = context;
    if (flag(options, 'json'))
      stdout.write(
        `${JSON.stringify(outcomeJson(outcome, planned.settings, planned.definition.file), null, 2)}\n`,
      );
    else stdout.write(describeOutcome(outcome, planned.settings));
    const isStored =
      !storing || (await storeRun(outcome, { ...storing, dir: planned.settings.resultsDir }, context));
    const exitCode = exitOf(outcome, flag(options, 'exitCount'));
    return finish(planned, isStored || exitCode !== EXIT.fine ? exitCode : EXIT.error, context);
  },
};

export default command;

const HELP = `
Examples:
  nightmark matrix run matrix.yml --results results
  nightmark matrix run matrix.yml --executor slurm --cpus 4 --time 1h
  nightmark matrix run matrix.yml --results results/$(date +%F) --workload tiny.workload.yml --store ~/bench
A test that succeeded before is not run again: repeat the command after a failure or an interruption.
Exit code: 0 fine, 4 some tests failed, 1 an error, 130 interrupted. See docs/guide/matrix.md.`;

async function execute(
  { definition, settings, tests, text }: PlannedMatrix,
  context: CliContext,
): Promise<MatrixOutcome> {
  const { disk, clock, signal, env, hostName, processId, randomSeed, version } = context;
  const reporter = matrixReporter(context, settings.jobs);
  const effects: MatrixRunEffects = {
    disk,
    clock,
    executor: await loadExecutor(settings.at.executor),
    loadExecutor,
    locks: fileLocks,
    machine: localMachine(),
    telemetry: settings.telemetry ? await loadAll<TelemetrySource>('telemetry') : [],
    signal,
    env,
    holder: { pid: processId, host: hostName },
    randomSeed,
    parseSettings: parseSettingsText,
    report: reporter.show,
  };
  const fileHash = createHash('sha256').update(text).digest('hex');
  try {
    return await runMatrix({ definition, fileHash, version, tests, ...settings }, effects);
  } finally {
    reporter.end();
  }
}

function exitOf(outcome: MatrixOutcome, isCounting: boolean): ExitCode {
  const { failed } = countResults(outcome);
  if (outcome.isInterrupted) return EXIT.interrupted;
  // An exit code has eight bits: 256 failures would be success.
  if (isCounting) return Math.min(failed, 255) as ExitCode;
  return failed > 0 ? EXIT.someFailed : EXIT.fine;
}

/** Reports an unknown name that ended the plan, after the tests before it. */
function finish({ stop }: PlannedMatrix, exitCode: ExitCode, { stderr }: CliContext): ExitCode {
  if (stop)
    stderr.write(
      `error: ${stop.message}${stop.hint === undefined ? '' : `\n  ${stop.hint}`}\n  [${stop.code}]\n`,
    );
  return exitCode;
}
