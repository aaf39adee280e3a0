import type { RawPlaces } from '../../experiment/app/stage-command.ts';
import type { Home, Task } from '../../home/core/home.ts';
import { type HomeLayout, homeLayout, rawArchiveName, runFiles } from '../../home/core/home-layout.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import type { Run } from '../../home/core/run.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { NightEffects } from './night-effects.ts';
import { NightRecorder, trialOf } from './night-recorder.ts';

/** A running night: what its steps share. */
export interface Night {
  readonly home: Home;
  readonly run: Run;
  readonly options: RunOptions;
  readonly layout: HomeLayout;
  readonly files: ReturnType<typeof runFiles>;
  readonly raw: RawPlaces;
  readonly recorder: NightRecorder;
  readonly effects: NightEffects;
  /** Tasks of this night in found order. */
  readonly experiments: readonly Task[];
  readonly subsystems: readonly Task[];
  /** Hash of the TVM that scripts use, where there is one. */
  readonly tvmHash: string | undefined;
}

/** Puts together what the steps of a night share. */
export async function makeNight(
  home: Home,
  run: Run,
  options: RunOptions,
  effects: NightEffects,
): Promise<Night> {
  const layout = homeLayout(home.dir);
  const files = runFiles(home.dir, run.id);
  const tvmHome = effects.env['TVM_HOME'];
  await effects.executor.ready();
  const tvm = tvmHome === undefined ? undefined : await (await effects.openControl()).describe(tvmHome);
  const tasks = new Map(home.tasks.map((task) => [`${task.kind}/${task.name}`, task]));
  const recorder: NightRecorder = new NightRecorder(
    {
      journal: await effects.disk.openJournal(files.journal),
      layout,
      runId: run.id,
      trialOf: ({ kind, name }) => {
        const task = tasks.get(`${kind}/${name}`);
        return task && trialOf(task, run.id, recorder);
      },
    },
    effects,
  );
  return {
    home,
    run,
    options,
    layout,
    files,
    raw: rawPlaces(home, run.label),
    recorder,
    effects,
    ...selectTasks(home, options),
    tvmHash: tvm?.shortCommit,
  };
}

/** The folder of the raw data of the night with this label, and the archive it becomes. */
export function rawPlaces(home: Home, label: string): RawPlaces {
  const { tmp } = home.folders;
  return {
    dir: joinPath(tmp, `benchmarks_${label}`),
    archive: joinPath(tmp, rawArchiveName(label)),
  };
}

/** The tasks of this night. Names that do not exist, or come twice, are refused before anything starts. */
export function selectTasks(
  home: Home,
  { only, skip }: Pick<RunOptions, 'only' | 'skip'>,
): {
  readonly experiments: readonly Task[];
  readonly subsystems: readonly Task[];
} {
  for (const [option, names] of [
    ['--only', only],
    ['--skip', skip],
  ] as const)
    checkNames(home, option, names ?? []);
  const selected = home.tasks.filter(({ name }) => (only?.includes(name) ?? true) && !skip?.includes(name));
  return {
    experiments: selected.filter(({ kind }) => kind === 'experiment'),
    subsystems: selected.filter(({ kind }) => kind === 'subsystem'),
  };
}

function checkNames(home: Home, option: string, names: readonly string[]): void {
  const known = home.tasks.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new NightmarkError(
      'RUN_UNKNOWN_TASK',
      `${option} names what is not in ${home.dir}: ${unknown.join(', ')}.`,
      {
        hint: `There are: ${known.join(', ')}.`,
      },
    );
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new NightmarkError('RUN_NAME_TWICE', `${option} names ${twice} twice.`);
}
