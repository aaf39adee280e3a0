import type { Argv } from '../../duet/app/compare-request.ts';
import type { Command } from '../../executors/core/executor.ts';
import { pointsWork } from '../../experiment/app/point-command.ts';
import {
  type StageNight,
  sourceEnvironment,
  stageCommand,
  stagePlaces,
} from '../../experiment/app/stage-command.ts';
import type { Checkout } from '../../git/core/source-control.ts';
import type { Version } from '../../git/core/version-pairs.ts';
import type { Home, StageName, Task } from '../../home/core/home.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import { planPoints } from '../../home/core/sweep/plan-points.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { experimentResults, type ResultsEffects } from './experiment-results.ts';
import type { MeasuredSide } from './measured-side.ts';
import { keepingOutput, makePointFolders, pointsScript } from './run-script.ts';

export interface ExperimentPlace {
  readonly home: Home;
  readonly task: Task;
  readonly id: string;
  readonly seed: number;
  /** All sources of the experiment: the searched one at the commit. */
  readonly checkouts: Readonly<Record<string, Checkout>>;
  /** Folder of this commit for what the stages write. */
  readonly scratch: string;
  /** Only the time of the command is asked for: what it prints and writes is not looked at. */
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
  refuseElsewhere(task);
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
    ...(!place.isOnlyTimed && { results: experimentResults({ night, task, analyze }, effects) }),
  };
}

/** Pairs are timed on this machine; a time in a queue or of another machine says nothing. */
function refuseElsewhere({ name, at }: Task): void {
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
  if (!points) return isOnlyTimed ? run.argv : keepingOutput(run);
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
  // Everything that a stage may write is led into the scratch folder.
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
