import type { z } from 'zod';
import { isElsewhere, type RunPlace } from '../../executors/core/place.ts';
import type { ResultsRule } from '../../formats/core/format.ts';
import type { Source } from '../../git/core/source-control.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type {
  HomeFolders,
  Implementation,
  RegressRules,
  StageCommands,
  Task,
  TelemetrySwitches,
} from '../core/home.ts';
import type { MatrixExperiment } from '../core/matrix-definition.ts';
import { pointsProblem } from '../core/sweep/plan-points.ts';
import { toDirections } from './directions-block.ts';
import {
  asBroken,
  builtIn,
  findFolder,
  isFolder,
  type ReadContext,
  type TaskReading,
} from './home-inspection.ts';
import { readExperiment } from './matrix-block.ts';
import type { defaults } from './native-schema.ts';
import {
  type ExperimentInput,
  experiment,
  type TaskInput,
  type TelemetryInput,
  task as taskSchema,
} from './native-task-schema.ts';
import { toRegress } from './regress-block.ts';
import { placeThere, readPlace } from './run-place.ts';
import { expandTilde, toSource, toSources } from './source-schema.ts';
import { toTimeouts } from './task-policies.ts';

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
    ...(isExperiment && input.directions && { directions: toDirections(input.directions, name) }),
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

const STAGES = ['setup', 'run', 'analyze', 'visualize', 'summarize'] as const;

/** How the task is done, and what is missing for it. */
async function toImplementation(
  block: Block,
  input: Input,
  { context, folders, defaults }: NativeContext,
): Promise<{ readonly implementation: Implementation; readonly missing?: string }> {
  const { dir, userHome, disk } = context;
  const resolve = (path: string) => resolvePath(dir, expandTilde(path, userHome));
  if (input.folder !== undefined) {
    const named = resolve(input.folder);
    const searched = block === 'experiments' ? folders.experiments : folders.subsystems;
    const found = (await isFolder(named, disk)) ? named : await findFolder(input.folder, searched, disk);
    const implementation: Implementation = { type: 'scripts', dir: found };
    if (found !== undefined) return { implementation };
    const tried = [named, ...searched.map((folder) => joinPath(folder, input.folder ?? ''))];
    return { implementation, missing: `folder: there is no such folder (tried ${tried.join(', ')})` };
  }
  if (input.uses !== undefined) {
    return { implementation: builtIn(input.uses) ?? { type: 'built-in', id: input.uses } };
  }
  const cwd = input.cwd === undefined ? dir : resolve(input.cwd);
  const commands = toCommands(input);
  // An analysis of its own writes the data file, and what it writes stays as it is.
  const isRead = block === 'experiments' && commands.analyze === undefined;
  const measures = isRead ? (input.measure ?? defaults.measure ?? []) : [];
  return {
    implementation: {
      ...{ type: 'commands', cwd, commands, results: toResults(input.results) },
      ...(measures.length > 0 && { measures }),
    },
  };
}

/** A task is done in one way: by commands, by a folder of scripts, or by something built in. */
function whyNotRunnable(block: Block, value: JsonObject): readonly string[] {
  const ways = ['run', 'folder', ...(block === 'tasks' ? ['uses'] : [])];
  const chosen = ways.filter((way) => Object.hasOwn(value, way));
  const problems: string[] = [];
  if (chosen.length === 0) problems.push(`expected one of ${ways.join(', ')}, found none of them`);
  if (chosen.length > 1)
    problems.push(`expected only one of ${ways.join(', ')}, found ${chosen.join(' and ')}`);
  if (!chosen.includes('run')) {
    const unused = [...STAGES, 'results', 'cwd', 'matrix', 'measure'].filter((key) =>
      Object.hasOwn(value, key),
    );
    if (unused.length > 0) problems.push(`${unused.join(', ')} need the command "run"`);
  }
  if (Object.hasOwn(value, 'measure') && Object.hasOwn(value, 'analyze'))
    problems.push('measure: with "analyze" the data file is that of your command; leave out one of the two');
  return problems;
}

function toCommands(input: Input): StageCommands {
  return Object.fromEntries(
    STAGES.flatMap((stage) => (input[stage] === undefined ? [] : [[stage, input[stage]]])),
  );
}

function toResults(input: Input['results']): ResultsRule {
  if (input === undefined) return { mapping: {} };
  if (typeof input === 'string') return { path: input, mapping: {} };
  const { path, format, value, name, unit, better } = input;
  return {
    ...(path === undefined ? {} : { path }),
    ...(format === undefined ? {} : { format }),
    mapping: {
      ...(value === undefined ? {} : { value }),
      ...(name === undefined ? {} : { name }),
      ...(unit === undefined ? {} : { unit }),
      ...(better === undefined ? {} : { better }),
    },
  };
}

interface MatrixPlace {
  readonly name: string;
  /** The experiment as it is written. */
  readonly value: JsonObject;
  readonly definition: Definition;
  readonly path: readonly string[];
}

/** The matrix of an experiment of a home, in the form of matrix files. Undefined where it has none. */
function readMatrixBlock(
  { matrix: input, run }: Input,
  { name, value, definition, path }: MatrixPlace,
): { readonly matrix?: MatrixExperiment; readonly problems: readonly Problem[] } {
  // A missing command was reported already.
  if (input === undefined || run === undefined) return { problems: [] };
  const block = { name, input: { matrix: input, run }, raw: value, path };
  const { experiment: matrix, problems } = readExperiment(block, definition);
  if (problems.length > 0) return { problems };
  const why = pointsProblem(matrix, run);
  if (why === undefined) return { matrix, problems };
  const at = [...path, 'matrix'];
  return { problems: [problemAt(definition, at, `${dotted(at)} ${why}`, { part: 'key' })] };
}

const USUAL: TelemetrySwitches = { cpu: true, gpu: false, rateSeconds: 15 };

/**
 * The task's own switches, then those of `defaults`, then the usual: the CPU every 15 seconds, which costs next to nothing.
 * Telemetry of this machine says nothing about what runs elsewhere.
 */
function toTelemetry(
  own: TelemetryInput | undefined,
  common: TelemetryInput | undefined,
  at: RunPlace | undefined,
): TelemetrySwitches {
  const usual = at && isElsewhere(at) ? { ...USUAL, cpu: false } : USUAL;
  return apply(own, apply(common, usual));
}

function apply(input: TelemetryInput | undefined, base: TelemetrySwitches): TelemetrySwitches {
  if (input === undefined) return base;
  if (input === false) return { ...base, cpu: false, gpu: false };
  if (input === true) return { ...base, cpu: true };
  return {
    cpu: input.cpu ?? base.cpu,
    gpu: input.gpu ?? base.gpu,
    rateSeconds: input.every === undefined ? base.rateSeconds : input.every / 1000,
  };
}
