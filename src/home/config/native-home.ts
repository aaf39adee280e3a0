import { type Definition, readDefinition } from '../../platform/config/definition.ts';
import { problemAt, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName, resolvePath, whyInvalidName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { Home, HomeFolders } from '../core/home.ts';
import { toDirections } from './directions-block.ts';
import {
  type Inspection,
  linkTasks,
  type ReadContext,
  type TaskReading,
  unusable,
} from './home-inspection.ts';
import { toMetrics } from './metrics-block.ts';
import { fileSchema, type TopInput, toJobs, topSchema, toSchedule } from './native-schema.ts';
import { type NativeContext, readNativeTask } from './native-task.ts';
import { toRoutes } from './notify-block.ts';
import { toTargets } from './publish-block.ts';
import { toRegress } from './regress-block.ts';
import { expandTilde, toSource } from './source-schema.ts';
import { toBackups, toRetention } from './task-policies.ts';

/** Reads a home that is defined by nightmark.yml. */
export async function readNative(file: string, context: ReadContext): Promise<Inspection> {
  const parsed = await readDefinition(file, context.disk);
  if (parsed?.state !== 'parsed') return unusable('CONFIG_SYNTAX', parsed?.problems ?? []);
  const { definition } = parsed;
  const { input, problems } = readTop(definition);
  const folders = toFolders(input, context);
  const tasks = linkTasks(await readTasks(input, { definition, context, folders }));
  const all = [...problems, ...tasks.flatMap((task) => task.problems)];
  if (problems.length > 0) return { ...unusable('CONFIG_INVALID', problems), problems: all } as Inspection;
  const reading = {
    home: toHome(input, folders, { context, tasks }),
    problems: all,
    raw: definition.value as JsonObject, // checked by the schema
  };
  return { state: 'usable', reading, definitions: { top: definition, tasks } };
}

function readTop(definition: Definition): { input: TopInput; problems: readonly Problem[] } {
  const { value } = definition;
  const result = topSchema.safeParse(value);
  const names = [...badNames(definition, 'experiments'), ...badNames(definition, 'tasks')];
  if (result.success) return { input: result.data, problems: names };
  const issues = toProblems(result.error, { definition, path: [] }, (path) => keysAt(fileSchema, path));
  // What is left is read all the same: its problems are to be seen together with these.
  const bad = new Set(
    result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [issue.path[0]],
    ),
  );
  const good = Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => !bad.has(key));
  return { input: topSchema.parse(Object.fromEntries(good)), problems: [...issues, ...names] };
}

/** A name becomes the name of folders; one that cannot must not come near the disk. */
function badNames(definition: Definition, block: 'experiments' | 'tasks'): readonly Problem[] {
  return Object.keys(entriesOf(definition.value, block)).flatMap((name) => {
    const reason = whyNoTaskName(name);
    if (reason === undefined) return [];
    const message = `${block}: ${JSON.stringify(name.slice(0, 80))} cannot be a name: ${reason}`;
    return [problemAt(definition, [block, name], message, { part: 'key' })];
  });
}

/** File systems hold 255 bytes; names get endings such as ".json". */
const LONGEST_NAME_BYTES = 200;

function whyNoTaskName(name: string): string | undefined {
  const isLong = new TextEncoder().encode(name).length > LONGEST_NAME_BYTES;
  return whyInvalidName(name) ?? (isLong ? `it is longer than ${LONGEST_NAME_BYTES} bytes` : undefined);
}

function entriesOf(value: JsonValue, block: string): JsonObject {
  const entries = isJsonObject(value) ? value[block] : undefined;
  return isJsonObject(entries) ? entries : {};
}

function toFolders({ folders = {} }: TopInput, context: ReadContext): HomeFolders {
  const { dir, userHome, experimentsDir, subsystemsDir } = context;
  const folder = (path: string) => resolvePath(dir, expandTilde(path, userHome));
  const search = (option: string | undefined, paths: readonly string[]) => [
    ...(option === undefined ? [] : [option]),
    ...paths.map(folder),
  ];
  return {
    experiments: search(experimentsDir, folders.experiments ?? ['experiments']),
    subsystems: search(subsystemsDir, folders.subsystems ?? ['subsystem']),
    tmp: folder(folders.tmp ?? '.nightmark/tmp'),
    backup: folder(folders.backup ?? '.nightmark/backups'),
    setup: folder(folders.setup ?? '.nightmark/setup'),
  };
}

async function readTasks(
  input: TopInput,
  { definition, context, folders }: Pick<NativeContext, 'definition' | 'context' | 'folders'>,
): Promise<readonly TaskReading[]> {
  const sources = Object.entries(input.sources ?? {}).map(([name, source]) =>
    toSource(name, source, context),
  );
  const regress = toRegress(input.regress);
  const native: NativeContext = {
    definition,
    context,
    folders,
    defaults: input.defaults ?? {},
    sources: new Map(sources.map((source) => [source.name, source])),
    ...(regress && { regress }),
  };
  const readings: TaskReading[] = [];
  for (const block of ['experiments', 'tasks'] as const) {
    const names = Object.keys(entriesOf(definition.value, block)).filter((name) => !whyNoTaskName(name));
    // Objects put keys like "10" first, the file need not.
    if (input.order === 'given') names.sort((a, b) => byPosition(definition, [block, a], [block, b]));
    for (const [index, name] of names.entries()) {
      const reading = await readNativeTask(block, name, native);
      // The model has priorities only: a given order is one of falling priorities.
      const priority = input.order === 'given' ? names.length - index : reading.task.priority;
      readings.push({ ...reading, task: { ...reading.task, priority } });
    }
  }
  return readings;
}

function byPosition(definition: Definition, a: readonly string[], b: readonly string[]): number {
  const [first, second] = [definition.positionOf(a, 'key'), definition.positionOf(b, 'key')];
  return (first.line ?? 0) - (second.line ?? 0) || (first.column ?? 0) - (second.column ?? 0);
}

function toHome(
  input: TopInput,
  folders: HomeFolders,
  { context: { dir }, tasks }: { context: ReadContext; tasks: readonly TaskReading[] },
): Home {
  const { timezone, pull = false } = input;
  const schedule = toSchedule(input.schedule, { timezone, pull });
  const regress = toRegress(input.regress);
  const directions = [
    ...toDirections(input.directions),
    ...tasks.flatMap(({ task }) => task.directions ?? []),
  ];
  const metrics = toMetrics(input.metrics);
  const jobs = toJobs(input.jobs);
  return {
    dir,
    dialect: 'native',
    project: input.project ?? (baseName(dir) || 'home'),
    folders,
    order: (input.order ?? 'random') === 'random' ? 'random' : 'priority',
    ...(input.seed === undefined ? {} : { seed: input.seed }),
    subsystemArguments: 'home-output',
    ...(schedule && { schedule }),
    backups: toBackups(input.backups),
    retention: toRetention(input.retention, { backups: { count: 14 } }),
    ...(regress && { regress }),
    ...(directions.length > 0 && { directions }),
    ...(metrics && { metrics }),
    ...(jobs && { jobs }),
    ...(input.publish && { publish: toTargets(input.publish) }),
    ...(input.notify && { notify: toRoutes(input.notify) }),
    ...(input.page !== undefined && { page: input.page }),
    tasks: tasks.map(({ task }) => task),
  };
}
