import type { Argv } from '../../duet/app/compare-request.ts';
import type { Command, Executor } from '../../executors/core/executor.ts';
import { type PointsWork, pointStageCommand, pointsWork } from '../../experiment/app/point-command.ts';
import {
  type StageNight,
  sourceEnvironment,
  stageCommand,
  stagePlaces,
} from '../../experiment/app/stage-command.ts';
import {
  readData,
  readStatusFile,
  readTaskResults,
  requireSamples,
} from '../../experiment/app/stage-results.ts';
import { valuesOf } from '../../formats/core/data-values.ts';
import type { Format } from '../../formats/core/format.ts';
import type { SampleSet, SeriesValue } from '../../formats/core/sample.ts';
import { sampleValues } from '../../formats/core/sample-data.ts';
import { type RunTraces, stableValues } from '../../formats/core/stable-names.ts';
import type { Checkout } from '../../git/core/source-control.ts';
import type { Version } from '../../git/core/version-pairs.ts';
import type { Home, StageName, Task } from '../../home/core/home.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import { readStatus } from '../../home/core/status.ts';
import { type MatrixPoint, planPoints } from '../../home/core/sweep/plan-points.ts';
import { SETTINGS_FILE } from '../../home/core/sweep/plan-tests.ts';
import { isDetail } from '../../judge/app/series/series-values.ts';
import { type PointSamples, poolSamples, settingVariables } from '../../matrix/core/planned-test.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { settingsYaml } from '../../platform/core/python/python-yaml.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { MeasuredSide, RunResults } from './choose-metric.ts';

export interface ExperimentPlace {
  readonly home: Home;
  readonly task: Task;
  readonly id: string;
  readonly seed: number;
  /** All sources of the experiment: the searched one at the commit. */
  readonly checkouts: Readonly<Record<string, Checkout>>;
  /** Folder of this commit for what the stages write. */
  readonly scratch: string;
  /** Only the time of the command is measured: its output is ignored. */
  readonly isOnlyTimed: boolean;
}

export interface ExperimentEffects extends ResultsEffects {
  readonly env: Readonly<Record<string, string>>;
  readonly kitDir: string;
}

/** The run command of an experiment on a commit of its source, after its setup; results of the home stay as they are. */
export async function experimentSide(
  place: ExperimentPlace,
  version: Version,
  effects: ExperimentEffects,
): Promise<MeasuredSide> {
  const { task, scratch } = place;
  checkExecutor(task);
  const { variables, pythonPath } = sourceEnvironment(place.checkouts);
  const sources = { env: variables, pythonPath, commits: {} };
  const night = stageNight(place, effects);
  await effects.disk.makeDir(joinPath(scratch, 'raw', task.name));
  const setup = await stageCommand(night, task, 'setup', sources);
  if (setup && !(await effects.disk.stat(joinPath(scratch, 'set-up')))) {
    await effects.disk.makeDir(joinPath(scratch, 'setup', task.name));
    await runSetup(setup, place, effects);
    await effects.disk.writeText(joinPath(scratch, 'set-up'), '');
  }
  const run = await stageCommand(night, task, 'run', sources);
  if (!run) throw noStage(task, 'run');
  const analyze = await stageCommand(night, task, 'analyze', sources);
  return {
    name: version.shortCommit,
    command: run.argv.at(0) === 'sh' ? (run.argv.at(2) ?? '') : run.argv.join(' '),
    argv: await argvOf(run, night, place, effects.disk),
    cwd: run.cwd,
    env: run.env,
    ...(!place.isOnlyTimed && {
      results: experimentResults({ night, task, analyze, traces: tracesOf(place) }, effects),
    }),
  };
}

/** Names as nights have them, where the checkouts are in another place. */
function tracesOf({ checkouts }: ExperimentPlace): RunTraces {
  const all = Object.entries(checkouts);
  return {
    commits: Object.fromEntries(all.map(([name, { commit }]) => [name, commit])),
    folders: all.map(([name, { dir }]) => ({ path: dir, name })),
  };
}

/** Pairs are timed on this machine; times in a queue or on another machine are not comparable. */
function checkExecutor({ name, at }: Task): void {
  if (at === undefined || at.executor === 'process') return;
  const message = `The experiment ${name} runs by ${at.executor}; its commits can only be compared as processes of one machine.`;
  throw new NightmarkError('BISECT_ELSEWHERE', message, {
    hint: 'Compare them where it runs: nightmark duet --against COMMIT --executor slurm, docs/guide/where-things-run.md.',
  });
}

async function argvOf(
  run: Command,
  night: StageNight,
  { task, scratch, isOnlyTimed }: ExperimentPlace,
  disk: Disk,
): Promise<Argv> {
  const points = pointsWork(task, run);
  if (!points) return isOnlyTimed ? run.argv : redirectOutput(run);
  const { output } = stagePlaces(night, task, 'run');
  await makePointFolders(planPoints(points.matrix), output, disk);
  // In a file: a matrix may have more points than fit into an argument.
  const file = joinPath(scratch, 'points.sh');
  await disk.writeText(file, pointsScript(night, points, output));
  return ['sh', file];
}

function stageNight({ home, id, seed, scratch }: ExperimentPlace, effects: ExperimentEffects): StageNight {
  const run: Run = {
    ...{ id, kind: 'duet', project: home.project, label: id, state: 'running', startedAt: 0, seed },
    ...{ order: [], origin: 'measured', warnings: [] },
  };
  // Everything that a stage writes goes to the scratch folder.
  const layout = homeLayout(joinPath(scratch, 'home'));
  return {
    home: { ...home, folders: { ...home.folders, setup: joinPath(scratch, 'setup') } },
    run,
    layout,
    files: runFiles(scratch, id),
    raw: { dir: joinPath(scratch, 'raw'), archive: joinPath(scratch, 'raw.tar.gz') },
    effects,
  };
}

async function runSetup(
  command: Command,
  { task }: ExperimentPlace,
  effects: ExperimentEffects,
): Promise<void> {
  const { exit } = await effects.executor.start(command, effects.signal).wait();
  if (exit.type === 'code' && exit.code === 0) return;
  throw new NightmarkError(
    'BISECT_SETUP_FAILED',
    `The setup of ${task.name} failed (${exit.type === 'code' ? `exit code ${exit.code}` : exit.type}).`,
    { hint: `Its log: ${command.logFile}` },
  );
}

function noStage(task: Task, stage: StageName): NightmarkError {
  return new NightmarkError(
    'BISECT_NO_COMMAND',
    `The experiment ${task.name} has no command for "${stage}".`,
    {
      hint: 'A search runs the run command of an experiment; subsystems cannot be searched.',
    },
  );
}

/** The command with what it prints in a file, where results are searched. The shell replaces itself: no process more. */
function redirectOutput({ argv, stdoutFile }: Command): Argv {
  const [program = '', ...rest] = argv;
  if (stdoutFile === undefined) return [program, ...rest];
  return ['sh', '-c', 'file=$1; shift; exec "$@" >"$file"', 'sh', stdoutFile, program, ...rest];
}

/** All points of a matrix as one script, one after the other as in a night; the first that fails ends it. */
function pointsScript(night: StageNight, work: PointsWork, output: string): string {
  const lines = planPoints(work.matrix).map((point) => {
    const dir = joinPath(output, point.folder);
    const { argv, stdoutFile = '' } = pointStageCommand(night, work, { point, dir });
    const own = { ...settingVariables(point.test), NIGHTMARK_OUTPUT_DIR: dir };
    const variables = Object.entries(own).map(([name, value]) => shellQuote(`${name}=${value}`));
    const command = ['env', ...variables, ...argv.map(shellQuote)].join(' ');
    return `${command} >${shellQuote(stdoutFile)} || exit`;
  });
  return `${lines.join('\n')}\n`;
}

/** The folders of all points, with their settings, as a night makes them. */
async function makePointFolders(points: readonly MatrixPoint[], output: string, disk: Disk) {
  for (const { test, folder } of points) {
    const dir = joinPath(output, folder);
    await disk.makeDir(dir);
    await disk.writeText(joinPath(dir, SETTINGS_FILE), settingsYaml(test.settings, test.texts));
  }
}

export interface ResultsEffects {
  readonly disk: Disk;
  readonly executor: Executor;
  readonly formats: readonly Format[];
  readonly signal: CancelSignal;
}

interface RunPlace {
  readonly night: StageNight;
  readonly task: Task;
  /** The analysis of an experiment that brings one. */
  readonly analyze: Command | undefined;
  readonly traces: RunTraces;
}

/** The results of an experiment on one commit, read as a night reads them: by its analysis, or by a format. */
function experimentResults(place: RunPlace, effects: ResultsEffects): RunResults {
  const { night, task } = place;
  const { output } = stagePlaces(night, task, 'run');
  const { disk } = effects;
  return {
    async clear() {
      await disk.remove(output);
      await disk.makeDir(output);
      await makePointFolders(pointsOf(task), output, disk);
    },
    async read() {
      await requireStatus(task, output, disk);
      const values = place.analyze
        ? stableValues(await analyzeRun(place, place.analyze, effects), place.traces)
        : sampleValues(task.name, await samplesIn(place, output, effects));
      return values.filter((value) => !isDetail(value));
    },
  };
}

function pointsOf({ implementation }: Task) {
  const matrix = implementation.type === 'commands' ? implementation.matrix : undefined;
  return matrix ? planPoints(matrix) : [];
}

async function samplesIn(
  { task, traces }: RunPlace,
  output: string,
  effects: ResultsEffects,
): Promise<readonly SampleSet[]> {
  const read = async (folder: string) =>
    requireSamples(task, await readTaskResults(task, folder, effects, traces)).samples;
  const points = pointsOf(task);
  if (points.length === 0) return read(output);
  const found: PointSamples[] = [];
  for (const { test, folder } of points) found.push({ test, samples: await read(joinPath(output, folder)) });
  return poolSamples(found);
}

async function analyzeRun(
  { night, task }: RunPlace,
  command: Command,
  { disk, executor, signal }: ResultsEffects,
): Promise<readonly SeriesValue[]> {
  const { output, data } = stagePlaces(night, task, 'analyze');
  await disk.makeDir(data);
  await disk.remove(output);
  await disk.makeDir(output);
  const { exit } = await executor.start(command, signal).wait();
  const isFine = exit.type === 'code' && exit.code === 0;
  // Scripts report by their status.json, as in a night.
  if (!isFine && (task.implementation.type !== 'scripts' || exit.type !== 'code'))
    throw noValue(`its analysis ended with ${exit.type === 'code' ? `exit code ${exit.code}` : exit.type}`);
  await requireStatus(task, output, disk);
  const own = await readData(output, task, disk);
  if (own === undefined) throw noValue('its analysis left no data.json');
  return valuesOf(task.name, own).values;
}

async function requireStatus({ implementation }: Task, folder: string, disk: Disk): Promise<void> {
  const file = await readStatusFile(folder, disk);
  if (file.state === 'missing' && implementation.type === 'commands') return;
  const { success, message } = readStatus(file, folder);
  if (!success) throw noValue(message);
}

function noValue(message: string): NightmarkError {
  return new NightmarkError('BISECT_NO_VALUE', message);
}
