import { problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { findCycles } from '../core/dependencies.ts';
import type { Task } from '../core/home.ts';
import type { TaskReading } from './inspection.ts';

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
    const complaints = task.after.flatMap((name) => complaint(task, name, names) ?? []);
    const cycle = cycles[task.kind].get(task.name);
    if (cycle && cycle.length > 2) {
      complaints.push({ message: `after makes a cycle: ${cycle.join(' -> ')}` });
    }
    return complaints.reduce(breakTask, reading);
  });
}

/** The task as one that fails its precheck; an inactive one stays inactive, its problem is worth a warning. */
export function asBroken(task: Task, problem: string): Task {
  if (task.state === 'inactive') return task;
  const known = task.problem === undefined ? problem : `${task.problem}; ${problem}`;
  return { ...task, state: 'broken', problem: known };
}

interface Complaint {
  readonly message: string;
  readonly hint?: string;
}

type Names = Readonly<Record<Task['kind'], ReadonlySet<string>>>;

function complaint(task: Task, name: string, names: Names): Complaint | undefined {
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

function breakTask(reading: TaskReading, { message, hint }: Complaint): TaskReading {
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
