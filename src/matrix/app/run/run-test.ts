import { placeCommand } from '../../../executors/app/place-command.ts';
import type { Command, Exit, SharedFolder } from '../../../executors/core/executor.ts';
import {
  COUNTS_FILE,
  MEASURES_FILE,
  measuredCommand,
  readCommandMeasures,
} from '../../../executors/core/measured-command.ts';
import { absentNotes, type Measure } from '../../../executors/core/measures.ts';
import { isElsewhere, type RunPlace } from '../../../executors/core/place.ts';
import { startTelemetry } from '../../../home/app/telemetry/record-telemetry.ts';
import type { TelemetrySwitches } from '../../../home/core/home.ts';
import type { MatrixDefinition, PlannedTest } from '../../../home/core/matrix-definition.ts';
import {
  EXIT_CODE_FILE,
  LOG_FILE,
  SETTINGS_FILE,
  testFileText,
} from '../../../home/core/sweep/plan-tests.ts';
import { dirName, joinPath } from '../../../platform/core/path.ts';
import { settingsYaml } from '../../../platform/core/python/python-yaml.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { settingVariables } from '../../core/planned-test.ts';
import type { MatrixRunEffects, TestResult } from './run-effects.ts';
import { matrixPlaces } from './run-journal.ts';

/** The setup that all tests of a run share. */
export interface TestSetup {
  readonly runId: string;
  readonly definition: MatrixDefinition;
  readonly resultsDir: string;
  readonly timeoutMs?: number;
  readonly retries: number;
  readonly at?: RunPlace;
  readonly telemetry?: TelemetrySwitches;
  readonly measures?: readonly Measure[];
}

/** Runs one test in its folder, with retries. exit_code is written last: without it the test counts as missing. */
export async function runTest(
  test: PlannedTest,
  folder: string,
  { setup, effects }: { readonly setup: TestSetup; readonly effects: MatrixRunEffects },
): Promise<TestResult> {
  const { disk, clock, signal } = effects;
  const dir = joinPath(setup.resultsDir, folder);
  const command = await commandOf(test, dir, { setup, effects });
  for (let attempts = 1; ; attempts++) {
    await prepare(test, folder, { setup, effects });
    const from = clock.micros();
    const telemetry = await startTestTelemetry(
      { experiment: test.experiment, dir },
      setup.at && isElsewhere(setup.at) ? undefined : setup.telemetry,
      effects,
    );
    const { exit, logBytes, host, note } = await effects.executor.start(command, signal).wait();
    const durationMs = (clock.micros() - from) / 1000;
    await telemetry.stop();
    if (signal.aborted || exit.type === 'cancelled')
      return { test, state: 'interrupted', folder, durationMs, attempts };
    const exitCode = codeOf(exit);
    if (exitCode !== 0 && attempts <= setup.retries) continue;
    // The original tool always writes a log.
    if (logBytes === 0)
      await disk.writeText(command.logFile, exit.type === 'not-started' ? `${exit.reason}\n` : '');
    const measures = await keepMeasures(dir, setup, effects);
    await disk.writeText(joinPath(dir, EXIT_CODE_FILE), `${exitCode}\n`, { durable: true });
    const message = [messageOf(exit), note].filter((text) => text !== undefined).join(': ');
    const state = exitCode === 0 ? 'succeeded' : 'failed';
    const details = { ...(host !== undefined && { host }), ...(message !== '' && { message }) };
    return { test, state, folder, exitCode, durationMs, attempts, ...measures, ...details };
  }
}

/** For workloads: {"wall": 1.25, "cpu": 1.1}, in seconds. */
const MEASURES_JSON = 'measures.json';

async function keepMeasures(
  dir: string,
  { measures: wanted = [] }: TestSetup,
  { disk }: MatrixRunEffects,
): Promise<Pick<TestResult, 'measures' | 'absent'>> {
  if (wanted.length === 0) return {};
  const [file, counts] = [joinPath(dir, MEASURES_FILE), joinPath(dir, COUNTS_FILE)];
  const { measures, absent } = readCommandMeasures(
    wanted,
    await disk.readText(file),
    await disk.readText(counts),
  );
  await disk.remove(file);
  await disk.remove(counts);
  await disk.writeText(joinPath(dir, MEASURES_JSON), `${JSON.stringify(measures)}\n`);
  return { measures, ...(absent.length > 0 && { absent: absentNotes(absent) }) };
}

/** The folders that a container needs: that of its test, and those of the scripts. */
function foldersOf(dir: string, { file, scriptDirs }: MatrixDefinition): readonly SharedFolder[] {
  const readable = new Set([dirName(file), ...scriptDirs]);
  return [...[...readable].map((path) => ({ path, isReadOnly: true })), { path: dir, isReadOnly: false }];
}

/** Makes the folder with the settings and files of the test only; the log of an earlier attempt is moved aside. */
async function prepare(
  test: PlannedTest,
  folder: string,
  { setup, effects }: { readonly setup: TestSetup; readonly effects: MatrixRunEffects },
): Promise<void> {
  const { disk } = effects;
  const dir = joinPath(setup.resultsDir, folder);
  const log = joinPath(dir, LOG_FILE);
  if ((await disk.stat(log)) !== undefined) {
    const place = await freeLog(setup.resultsDir, folder, effects);
    await disk.makeDir(dirName(place));
    await disk.rename(log, place);
  }
  await disk.remove(dir);
  await disk.makeDir(dir);
  for (const [name, value] of Object.entries(setup.definition.testFiles))
    await disk.writeText(joinPath(dir, name), testFileText(value));
  await disk.writeText(joinPath(dir, SETTINGS_FILE), settingsYaml(test.settings, test.texts));
}

async function freeLog(resultsDir: string, folder: string, { disk }: MatrixRunEffects): Promise<string> {
  const { oldLog } = matrixPlaces(resultsDir);
  for (let number = 1; ; number++) {
    const path = oldLog(folder, number);
    if ((await disk.stat(path)) === undefined) return path;
  }
}

async function commandOf(
  test: PlannedTest,
  dir: string,
  { setup, effects }: { readonly setup: TestSetup; readonly effects: MatrixRunEffects },
): Promise<Command> {
  const { disk, env } = effects;
  const { definition, resultsDir, runId, timeoutMs } = setup;
  const scriptDir = test.isScript ? await scriptDirOf(test, definition, disk) : definition.scriptDirs[0];
  const line = test.isScript ? `${shellQuote(scriptDir)}/${test.command}` : test.command;
  const command: Command = {
    argv: ['bash', '-c', line],
    cwd: dir,
    logFile: joinPath(dir, LOG_FILE),
    title: test.experiment,
    env: {
      ...env,
      ...settingVariables(test),
      NIGHTMARK_RUN_ID: runId,
      NIGHTMARK_EXPERIMENT: test.experiment,
      NIGHTMARK_MATRIX_DIR: dirName(definition.file),
      NIGHTMARK_RESULTS_DIR: resultsDir,
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const measured =
    setup.measures === undefined
      ? command
      : measuredCommand(command, joinPath(dir, MEASURES_FILE), setup.measures);
  return placeCommand(measured, setup.at, foldersOf(dir, definition));
}

/** The first folder that has the script; the first of all where none has it, so that the shell reports the error. */
async function scriptDirOf(
  { command }: PlannedTest,
  { scriptDirs }: MatrixDefinition,
  disk: MatrixRunEffects['disk'],
): Promise<string> {
  const [script = ''] = command.split(/\s/);
  for (const dir of scriptDirs) {
    if ((await disk.stat(joinPath(dir, script))) !== undefined) return dir;
  }
  return scriptDirs[0];
}

/** The exit codes of shells and timeout(1). */
function codeOf(exit: Exit): number {
  if (exit.type === 'code') return exit.code;
  if (exit.type === 'timeout') return 124;
  return exit.type === 'not-started' ? 127 : 128 + (SIGNALS[exit.type === 'signal' ? exit.signal : ''] ?? 0);
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

function messageOf(exit: Exit): string | undefined {
  if (exit.type === 'timeout')
    return `did not end within ${exit.afterMs / 1000} s and was stopped with all its processes`;
  if (exit.type === 'signal')
    return `was ended by ${exit.signal}${exit.reason === undefined ? '' : `: ${exit.reason}`}`;
  return exit.type === 'not-started' ? `could not be started: ${exit.reason}` : undefined;
}

/** Below the folder of the test: cpu.json and gpu.json, and a text file a group. */
const TELEMETRY_DIR = 'telemetry';

/** Samples the machine during one test, into the same files as nightly runs. */
async function startTestTelemetry(
  { experiment, dir }: { readonly experiment: string; readonly dir: string },
  switches: TelemetrySwitches | undefined,
  effects: MatrixRunEffects,
): Promise<{ stop(): Promise<void> }> {
  if (!switches) return { stop: async () => undefined };
  const { disk, clock, signal, telemetry, report } = effects;
  const folder = joinPath(dir, TELEMETRY_DIR);
  const request = {
    experiment,
    switches,
    textDir: (kind: string) => joinPath(folder, kind),
    jsonFile: (kind: string) => joinPath(folder, `${kind}.json`),
    label: new Date(clock.now()).toISOString(),
  };
  const recording = await startTelemetry(request, { sources: telemetry, disk, clock, signal });
  return {
    async stop() {
      for (const text of (await recording.stop()).notes) report({ type: 'warning', text });
    },
  };
}
