import type { HomeReading, Problem, Task } from '../../home/core/home.ts';
import type { Disk } from '../core/disk.ts';
import { NightmarkError } from '../core/errors.ts';
import type { Definition } from './definition.ts';

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

/** What reading a home has at hand. */
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

/** file:line:column: message, as editors and terminals know it. */
function problemLine({ file, line, column, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${message}`;
}

export function unusable(code: string, problems: readonly Problem[]): Inspection {
  return { state: 'unusable', error: toError(code, problems), problems };
}

/** An error that knows its problems one by one, for those who show them so. */
export class DefinitionError extends NightmarkError {
  readonly problems: readonly Problem[];

  constructor(
    code: string,
    message: string,
    { hint, problems }: { hint: string; problems: readonly Problem[] },
  ) {
    super(code, message, { hint });
    this.problems = problems;
  }
}

/** One error out of many problems: all of them, so that none has to be found by trying again. */
export function toError(code: string, problems: readonly Problem[]): DefinitionError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const message =
    errors.length === 1 && first
      ? problemLine(first)
      : `The definition has ${errors.length} problems:\n${errors.map(problemLine).join('\n')}`;
  const hint = first?.hint ?? 'nightmark check shows all problems of a home or a file.';
  return new DefinitionError(code, message, { hint, problems });
}
