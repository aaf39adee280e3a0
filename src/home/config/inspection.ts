import type { Definition } from '../../platform/config/definition.ts';
import { toError } from '../../platform/config/definition-problems.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { NightmarkError, Problem } from '../../platform/core/errors.ts';
import type { HomeReading, Task } from '../core/home.ts';

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

export function unusable(code: string, problems: readonly Problem[]): Inspection {
  return { state: 'unusable', error: toError(code, problems), problems };
}
