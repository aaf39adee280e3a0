import { placeCommand } from '../../executors/app/place-command.ts';
import type { Command, SharedFolder } from '../../executors/core/executor.ts';
import type { Checkout } from '../../git/core/source-control.ts';
import type { Home, StageName, Task } from '../../home/core/home.ts';
import type { HomeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { singleQuote } from '../../platform/core/text/shell.ts';

/** What the command of a stage depends on. */
export interface StageNight {
  readonly home: Home;
  readonly run: Run;
  readonly layout: HomeLayout;
  readonly files: ReturnType<typeof runFiles>;
  readonly raw: RawPlaces;
  readonly effects: {
    readonly disk: Disk;
    /** Environment that the scripts inherit. */
    readonly env: Readonly<Record<string, string>>;
    /** Folder that scripts find as BENCHMARK_DEPS, unless their environment names one. */
    readonly kitDir: string;
  };
}

/** The command of a stage, or undefined where the implementation has none for it. */
export async function stageCommand(
  night: StageNight,
  task: Task,
  stage: StageName,
  sources: TaskSources,
): Promise<Command | undefined> {
  const places = stagePlaces(night, task, stage);
  const start = await startOf(task, stage, places, night);
  if (start === undefined) return undefined;
  const timeoutMs = task.timeoutMs[stage];
  const isPinned = stage === 'run' && task.kind === 'experiment' && task.pinning !== undefined;
  const keepsStdout = stage === 'run' && task.implementation.type === 'commands';
  const command: Command = {
    argv: start.argv,
    cwd: start.cwd,
    title: `${task.name}-${stage}`,
    env: { ...(await environment(night, task, stage, places, sources)), PWD: start.cwd },
    logFile: night.files.log(task.kind, task.name, stage),
    ...(keepsStdout && { stdoutFile: joinPath(places.output, 'stdout.txt') }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(isPinned && task.pinning && { pinning: task.pinning }),
  };
  return placeCommand(command, task.at, sharedFolders(night, task, command));
}

/** What a container sees: the home, and what a stage uses beside it. */
function sharedFolders(
  { home, raw, effects }: StageNight,
  { implementation }: Task,
  { cwd }: Command,
): readonly SharedFolder[] {
  const scripts = implementation.type === 'scripts' && implementation.dir ? [implementation.dir] : [];
  const written = [home.dir, home.folders.setup, raw.dir, cwd, ...scripts];
  const kit = effects.env['BENCHMARK_DEPS'] ?? effects.kitDir;
  return [...written.map((path) => ({ path, isReadOnly: false })), { path: kit, isReadOnly: true }];
}

async function startOf(
  { implementation }: Task,
  stage: StageName,
  places: StagePlaces,
  night: StageNight,
): Promise<Pick<Command, 'argv' | 'cwd'> | undefined> {
  if (implementation.type === 'scripts') {
    const dir = implementation.dir ?? '';
    const script = joinPath(dir, `${stage}.sh`);
    // Only setup is optional; one that is not executable counts as none. The others were checked before the night.
    if (stage === 'setup' && !(await night.effects.disk.isExecutable(script))) return undefined;
    return { argv: [script, ...places.args], cwd: dir };
  }
  if (implementation.type !== 'commands' || stage === 'source') return undefined;
  const command = implementation.commands[stage];
  if (command === undefined) return undefined;
  return { argv: ['sh', '-c', fillIn(command, places, night)], cwd: implementation.cwd };
}

/** Puts the known folders in, quoted for the shell; other braces stay as they are. */
function fillIn(command: string, places: StagePlaces, { home, run }: StageNight): string {
  const known: Readonly<Record<string, string>> = {
    out: places.output,
    data: places.data,
    config: places.args[0] ?? '',
    raw: places.args[1] ?? '',
    home: home.dir,
    seed: String(run.seed ?? 0),
  };
  return command.replace(/\{(\w+)\}/g, (text, name: string) => {
    const value = known[name];
    return value === undefined ? text : singleQuote(value);
  });
}

async function environment(
  { effects, home, run, layout }: StageNight,
  task: Task,
  stage: StageName,
  places: StagePlaces,
  sources: TaskSources,
): Promise<Record<string, string>> {
  const kit = effects.env['BENCHMARK_DEPS'] ?? effects.kitDir;
  const kitPython = joinPath(kit, 'python');
  const hasKitPython = (await effects.disk.stat(kitPython)) !== undefined;
  const pythonPath = [
    ...(hasKitPython ? [kitPython] : []),
    ...sources.pythonPath,
    effects.env['PYTHONPATH'] ?? '',
  ];
  const path = pythonPath.filter((part) => part !== '').join(':');
  return {
    ...effects.env,
    BENCHMARK_DEPS: kit,
    NIGHTMARK: effects.env['NIGHTMARK'] ?? joinPath(effects.kitDir, 'bin/nightmark'),
    ...(path !== '' && { PYTHONPATH: path }),
    ...sources.env,
    NIGHTMARK_HOME: home.dir,
    NIGHTMARK_RUN_ID: run.id,
    NIGHTMARK_LABEL: run.label,
    NIGHTMARK_SEED: String(run.seed ?? 0),
    NIGHTMARK_TASK: task.name,
    NIGHTMARK_STAGE: stage,
    NIGHTMARK_CONFIG_DIR: task.configDir,
    NIGHTMARK_OUTPUT_DIR: places.output,
    NIGHTMARK_DATA_DIR: places.data,
    NIGHTMARK_RESULTS_DIR: joinPath(home.dir, 'results'),
    NIGHTMARK_SETUP_DIR: joinPath(home.folders.setup, task.name),
    NIGHTMARK_GRAPH_DIR: layout.graph(task.name),
    ...task.env,
  };
}

/** The folders of one stage of one task: where its status.json is expected, and its arguments in order. */
export interface StagePlaces {
  readonly output: string;
  readonly data: string;
  readonly args: readonly string[];
}

export function stagePlaces(
  night: { readonly layout: HomeLayout; readonly raw: RawPlaces; readonly home: Home },
  task: Task,
  stage: StageName,
): StagePlaces {
  const { layout, raw, home } = night;
  const { name, configDir } = task;
  if (task.kind === 'subsystem') {
    const output = layout.output(name);
    const rest = home.subsystemArguments === 'home-output' ? [home.dir, output] : [output, home.dir];
    return { output, data: layout.data(''), args: [configDir, ...rest] };
  }

  const data = layout.data(name);
  const runDir = joinPath(raw.dir, name);
  switch (stage) {
    case 'source':
    case 'setup': {
      const output = joinPath(home.folders.setup, name);
      return { output, data, args: [configDir, output] };
    }
    case 'run':
      return { output: runDir, data, args: [configDir, runDir] };
    case 'analyze': {
      const output = joinPath(runDir, 'analysis');
      return { output, data, args: [configDir, runDir, output] };
    }
    case 'visualize':
      return { output: layout.graph(name), data, args: [configDir, data, layout.graph(name)] };
    case 'summarize':
      return { output: layout.summary(name), data, args: [configDir, data, layout.summary(name)] };
  }
}

/** The folder of raw data during the night, and the archive it becomes. */
export interface RawPlaces {
  readonly dir: string;
  readonly archive: string;
}

export interface SourceEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Folders to put in front of PYTHONPATH. */
  readonly pythonPath: readonly string[];
}

/** How stage scripts find the checkouts: NIGHTMARK_SOURCE_<NAME> and NIGHTMARK_COMMIT_<NAME>, and TVM as of old. */
export function sourceEnvironment(checkouts: Readonly<Record<string, Checkout>>): SourceEnvironment {
  const variables: Record<string, string> = {};
  const pythonPath: string[] = [];
  for (const [name, { dir, commit }] of Object.entries(checkouts)) {
    const suffix = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
    variables[`NIGHTMARK_SOURCE_${suffix}`] = dir;
    variables[`NIGHTMARK_COMMIT_${suffix}`] = commit;
    if (name === 'tvm') {
      variables['TVM_HOME'] = dir;
      pythonPath.push(`${dir}/python`, `${dir}/topi/python`);
    }
  }
  return { variables, pythonPath };
}

/** What the sources of a task add to the environment of its scripts. */
export interface TaskSources {
  readonly env: Readonly<Record<string, string>>;
  /** Goes in front of PYTHONPATH. */
  readonly pythonPath: readonly string[];
  /** Short hashes by name. */
  readonly commits: Readonly<Record<string, string>>;
}

export const NO_SOURCES: TaskSources = { env: {}, pythonPath: [], commits: {} };
