import type { Definition } from '../../platform/config/definition.ts';
import { problemAt, toError } from '../../platform/config/definition-problems.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { HomeReading, Implementation, Task } from '../core/home.ts';
import { findCycles } from '../core/task-order.ts';

export interface ReadOptions {
  readonly experimentsDir?: string;
  readonly subsystemsDir?: string;
}

export interface ReadEffects {
  readonly disk: Disk;
  /** What "~" stands for. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Context of reading a home. */
export interface ReadContext extends ReadOptions, ReadEffects {
  readonly dir: string;
}

/** A home that can be used, whatever is wrong with single tasks, or one that cannot. */
export type Inspection =
  | { readonly state: 'usable'; readonly reading: HomeReading; readonly definitions: Definitions }
  | { readonly state: 'unusable'; readonly error: NightmarkError; readonly problems: readonly Problem[] };

export interface Definitions {
  readonly top: Definition;
  readonly tasks: readonly TaskDefinition[];
}

/** Where a task was defined; its configuration is the value at the path. */
export interface TaskDefinition {
  readonly task: Task;
  readonly definition?: Definition;
  readonly path: readonly PropertyKey[];
}

export interface TaskReading extends TaskDefinition {
  readonly problems: readonly Problem[];
}

export function unusable(code: string, problems: readonly Problem[]): Inspection {
  return { state: 'unusable', error: toError(code, problems), problems };
}

/** Checks what tasks wait for: a task whose `after` cannot be kept is broken, the rest stays as it is. */
export function linkTasks(readings: readonly TaskReading[]): readonly TaskReading[] {
  const names = {
    experiment: new Set(namesOf(readings, 'experiment')),
    subsystem: new Set(namesOf(readings, 'subsystem')),
  };
  const cycles = {
    experiment: findCycles(tasksOf(readings, 'experiment')),
    subsystem: findCycles(tasksOf(readings, 'subsystem')),
  };
  return readings.map((reading) => {
    const { task } = reading;
    const faults = task.after.flatMap((name) => afterFault(task, name, names) ?? []);
    const cycle = cycles[task.kind].get(task.name);
    if (cycle && cycle.length > 2) {
      faults.push({ message: `after makes a cycle: ${cycle.join(' -> ')}` });
    }
    return faults.reduce(breakTask, reading);
  });
}

/** The task as one that fails its precheck; an inactive one stays inactive, its problem is worth a warning. */
export function asBroken(task: Task, problem: string): Task {
  if (task.state === 'inactive') return task;
  const known = task.problem === undefined ? problem : `${task.problem}; ${problem}`;
  return { ...task, state: 'broken', problem: known };
}

interface AfterFault {
  readonly message: string;
  readonly hint?: string;
}

type Names = Readonly<Record<Task['kind'], ReadonlySet<string>>>;

function afterFault(task: Task, name: string, names: Names): AfterFault | undefined {
  if (name === task.name && names[task.kind].has(name)) {
    return { message: `after: ${task.name} waits for itself` };
  }
  if (names.experiment.has(name) || (task.kind === 'subsystem' && names.subsystem.has(name)))
    return undefined;
  if (names.subsystem.has(name)) {
    return {
      message: `after: ${task.name} is an experiment and cannot wait for the subsystem ${name}`,
      hint: 'Subsystems run when all experiments are done.',
    };
  }
  const close = nearest(name, [...names.experiment, ...(task.kind === 'subsystem' ? names.subsystem : [])]);
  return {
    message: `after: there is no task ${JSON.stringify(name)}`,
    ...(close === undefined ? {} : { hint: `Did you mean "${close}"?` }),
  };
}

function breakTask(reading: TaskReading, { message, hint }: AfterFault): TaskReading {
  const { task, definition, path, problems } = reading;
  const severity = task.state === 'inactive' ? 'warning' : 'error';
  const problem: Problem | undefined = definition && {
    ...problemAt(definition, [...path, 'after'], `${task.name}: ${message}`, { hint }),
    severity,
  };
  return { ...reading, task: asBroken(task, message), problems: problem ? [...problems, problem] : problems };
}

function tasksOf(readings: readonly TaskReading[], kind: Task['kind']): readonly Task[] {
  return readings.map(({ task }) => task).filter((task) => task.kind === kind);
}

function namesOf(readings: readonly TaskReading[], kind: Task['kind']): readonly string[] {
  return tasksOf(readings, kind).map(({ name }) => name);
}

/** Subsystems that are part of Nightmark, by each of their names. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['deadline', 'deadline'],
  ['exp_results', 'exp_results'],
  ['exp_reports', 'exp_results'],
  ['subsys_reporter', 'subsys_reporter'],
  ['stat_alert', 'stat_alert'],
  ['stat_alerts', 'stat_alert'],
  ['score', 'score'],
  ['website', 'website'],
  ['vis_telemetry', 'vis_telemetry'],
]);

export const BUILT_IN_NAMES: readonly string[] = [...BUILT_IN.keys()];

/** The built-in subsystem of that name. */
export function builtIn(name: string): Implementation | undefined {
  const id = BUILT_IN.get(name);
  return id === undefined ? undefined : { type: 'built-in', id };
}

/** The first folder of the search path that holds a folder of that name. */
export async function findFolder(
  name: string,
  searched: readonly string[],
  disk: Disk,
): Promise<string | undefined> {
  for (const folder of searched) {
    const dir = joinPath(folder, name);
    if (await isFolder(dir, disk)) return dir;
  }
  return undefined;
}

/** A folder that we may not read, or whose name the system refuses, holds no implementation. */
export async function isFolder(path: string, disk: Disk): Promise<boolean> {
  try {
    return (await disk.stat(path))?.type === 'folder';
  } catch (error) {
    if (error instanceof NightmarkError) return false;
    throw error;
  }
}
