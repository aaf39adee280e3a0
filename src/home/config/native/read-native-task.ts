import type { z } from 'zod';
import type { Source } from '../../../git/core/source-control.ts';
import type { Definition } from '../../../platform/config/definition.ts';
import {
  describeValue,
  dotted,
  problemAt,
  toProblems,
} from '../../../platform/config/definition-problems.ts';
import { keysAt } from '../../../platform/config/schema-walk.ts';
import type { Problem } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import type { HomeFolders, Implementation, RegressRules, Task } from '../../core/home.ts';
import type { ReadContext, TaskReading } from '../inspection.ts';
import { asBroken } from '../link-tasks.ts';
import { toTimeouts } from '../policies.ts';
import { placeThere, readPlace } from '../read-place.ts';
import { toSource, toSources } from '../sources.ts';
import { type ExperimentInput, experiment } from './experiment-schema.ts';
import { toImplementation, whyNotRunnable } from './native-implementation.ts';
import { readMatrixBlock } from './read-matrix-block.ts';
import { toRegress } from './regress.ts';
import type { defaults } from './schema.ts';
import { type TaskInput, task as taskSchema } from './task-schema.ts';
import { toTelemetry } from './telemetry.ts';

/** What all tasks of the file share. */
export interface NativeContext {
  readonly definition: Definition;
  readonly context: ReadContext;
  readonly folders: HomeFolders;
  readonly defaults: z.output<typeof defaults>;
  readonly sources: ReadonlyMap<string, Source>;
  readonly regress?: RegressRules;
}

export type Block = 'experiments' | 'tasks';
export type Input = ExperimentInput & TaskInput;

/** Reads one experiment or task. Whatever is wrong with it stays with it. */
export async function readNativeTask(
  block: Block,
  name: string,
  native: NativeContext,
): Promise<TaskReading> {
  const { definition } = native;
  const path = [block, name];
  const written = writtenAt(definition, block, name);
  const value = typeof written === 'string' ? { run: written } : written;
  if (!isJsonObject(value)) {
    const message = `${dotted(path)}: expected a command, or a mapping with run or folder, found ${describeValue(written)}`;
    return finish(emptyTask(block, name, native), [problemAt(definition, path, message)], {
      definition,
      path,
    });
  }
  const schema = block === 'experiments' ? experiment : taskSchema;
  const result = schema.safeParse(value);
  const problems = result.success
    ? []
    : toProblems(result.error, { definition, path }, (inner) => keysAt(schema, inner));
  const input = (result.success ? result.data : {}) as Input;
  const { implementation, missing } = await toImplementation(block, input, native);
  const { matrix, problems: wrong } = readMatrixBlock(input, { name, value, definition, path });
  const whole = matrix && implementation.type === 'commands' ? { ...implementation, matrix } : implementation;
  const task = toTask(block, name, { input, implementation: whole, native });
  const faults = block === 'experiments' ? placeProblems(input, native, path) : [];
  const others = [
    ...whyNotRunnable(block, value),
    ...(missing === undefined ? [] : [missing]),
    ...(block === 'experiments' && name === 'telemetry'
      ? ['the name is taken by the folder of raw telemetry']
      : []),
    ...unknownSources(input, native),
  ].map((message) => problemAt(definition, path, `${dotted(path)}: ${message}`, { part: 'key' }));
  return finish(
    { ...task, state: value['active'] === false ? 'inactive' : 'active' },
    [...problems, ...wrong, ...faults, ...others],
    { definition, path },
  );
}

function finish(
  task: Task,
  problems: readonly Problem[],
  { definition, path }: { readonly definition: Definition; readonly path: readonly PropertyKey[] },
): TaskReading {
  if (problems.length === 0) return { task, problems, definition, path };
  const messages = problems.map(({ message }) => message).join('; ');
  const severity = task.state === 'inactive' ? ('warning' as const) : ('error' as const);
  return {
    task: asBroken(task, messages),
    problems: problems.map((problem) => ({ ...problem, severity })),
    definition,
    path,
  };
}

function writtenAt({ value }: Definition, block: Block, name: string) {
  const entries = isJsonObject(value) ? value[block] : undefined;
  return isJsonObject(entries) ? entries[name] : undefined;
}

function emptyTask(block: Block, name: string, native: NativeContext): Task {
  const implementation: Implementation = { type: 'scripts', dir: undefined };
  return toTask(block, name, { input: {}, implementation, native });
}

function toTask(
  block: Block,
  name: string,
  parts: { readonly input: Input; readonly implementation: Implementation; readonly native: NativeContext },
): Task {
  const { input, implementation, native } = parts;
  const { defaults, context } = native;
  const kind = block === 'experiments' ? 'experiment' : 'subsystem';
  const isExperiment = kind === 'experiment';
  const regress = isExperiment ? toRegress(input.regress, native.regress) : undefined;
  const pinning = input.pin ?? defaults.pin ?? 'none';
  const at = isExperiment ? placeThere(readPlace(input, defaults)) : undefined;
  return {
    kind,
    name,
    state: 'active',
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.description === undefined ? {} : { description: input.description }),
    notify: input.notify ?? defaults.notify ?? [],
    priority: input.priority ?? 0,
    after: input.after ?? [],
    configDir: joinPath(context.dir, '.nightmark/config', isExperiment ? 'experiments' : 'subsystem', name),
    config: (input.config ?? {}) as JsonObject, // definitions hold JSON values only
    implementation,
    env: { ...defaults.env, ...input.env },
    timeoutMs: toTimeouts(kind, input.timeout, defaults.timeout),
    retries: input.retries ?? defaults.retries ?? 0,
    rerunSetup: isExperiment && (input['rerun-setup'] ?? false),
    ...(isExperiment && pinning !== 'none' ? { pinning } : {}),
    telemetry: toTelemetry(isExperiment ? input.telemetry : false, defaults.telemetry, at),
    ...(at && { at }),
    sources: sourcesOf(input, native).sources,
    ...(regress && { regress }),
  };
}

function placeProblems(
  input: Input,
  { definition, defaults }: NativeContext,
  path: readonly string[],
): readonly Problem[] {
  const reading = readPlace(input, defaults);
  if (reading.state === 'faulty')
    return reading.faults.map(({ key, message, hint }) =>
      problemAt(definition, key in input ? [...path, key] : path, `${dotted(path)}.${message}`, {
        part: 'key',
        ...(hint !== undefined && { hint }),
      }),
    );
  if (input.pin === undefined || input.pin === 'none' || reading.place.executor === 'process') return [];
  const message = `${dotted(path)}.pin: only processes of this machine can be pinned, and this runs by ${reading.place.executor}`;
  return [problemAt(definition, [...path, 'pin'], message, { part: 'key' })];
}

function sourcesOf({ source, sources }: Input, { sources: known, context }: NativeContext) {
  const several = toSources(sources, known, context);
  if (source === undefined) return several;
  const one =
    typeof source === 'string'
      ? toSources(source, known, context)
      : { sources: [toSource(undefined, source, context)], unknown: [] };
  return { sources: [...one.sources, ...several.sources], unknown: [...one.unknown, ...several.unknown] };
}

function unknownSources(input: Input, native: NativeContext): readonly string[] {
  return sourcesOf(input, native).unknown.map((name) => {
    const close = nearest(name, native.sources.keys());
    const hint = close === undefined ? '' : `; did you mean "${close}"?`;
    return `there is no source ${JSON.stringify(name)}${hint}`;
  });
}
