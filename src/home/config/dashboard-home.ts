import { type Definition, readDefinition } from '../../platform/config/definition.ts';
import { problemAt, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import type { Home, HomeFolders, Task } from '../core/home.ts';
import { type TopInput, topSchema } from './dashboard-schema.ts';
import { type CommonSettings, readTask } from './dashboard-task.ts';
import { readDirectionsFile } from './directions-block.ts';
import {
  type Inspection,
  linkTasks,
  type ReadContext,
  type TaskReading,
  unusable,
} from './home-inspection.ts';
import { expandTilde, toSource } from './source-schema.ts';
import { toBackups, toRetention } from './task-policies.ts';

/** HOME/config.json follows the original's program, HOME/config/config.json its documentation. */
export interface TopFile {
  readonly file: string;
  readonly subsystemArguments: Home['subsystemArguments'];
}

/** Reads a home of the nightly dashboard. */
export async function readDashboard(top: TopFile, context: ReadContext): Promise<Inspection> {
  const parsed = await readDefinition(top.file, context.disk);
  if (parsed?.state !== 'parsed') return unusable('CONFIG_SYNTAX', parsed?.problems ?? []);
  const { definition } = parsed;
  const { input, problems, code } = readTop(definition);
  const folders = toFolders(input, context);
  const tasks = await readTasks(input, folders, context);
  const directions = await readDirectionsFile(context.dir, context.disk);
  const all = [...problems, ...tasks.flatMap((task) => task.problems), ...directions.problems];
  if (code !== undefined) return { ...unusable(code, problems), problems: all } as Inspection;
  const reading = {
    home: {
      ...toHome(input, folders, { top, context, tasks }),
      ...(directions.rules.length > 0 && { directions: directions.rules }),
    },
    problems: all,
    raw: isJsonObject(definition.value) ? definition.value : {},
  };
  return { state: 'usable', reading, definitions: { top: definition, tasks } };
}

function toHome(
  input: TopInput,
  folders: HomeFolders,
  { top, context, tasks }: { top: TopFile; context: ReadContext; tasks: readonly TaskReading[] },
): Home {
  const { schedule, subsystem_arguments: order } = input;
  return {
    dir: context.dir,
    dialect: 'dashboard',
    project: baseName(context.dir) || 'home',
    folders,
    order: (input.randomize ?? true) ? 'random' : 'priority',
    ...(input.seed === undefined ? {} : { seed: input.seed }),
    subsystemArguments:
      order === undefined
        ? top.subsystemArguments
        : order === 'config home output'
          ? 'home-output'
          : 'output-home',
    ...(schedule === undefined
      ? {}
      : {
          schedule: {
            cron: schedule,
            ...(input.timezone === undefined ? {} : { timezone: input.timezone }),
            pull: input.pull ?? false,
          },
        }),
    backups: toBackups(input.backups),
    retention: toRetention(input.retention),
    tasks: tasks.map(({ task }) => task),
  };
}

function toFolders(
  input: TopInput,
  { dir, userHome, experimentsDir, subsystemsDir }: ReadContext,
): HomeFolders {
  const folder = (path: string) => resolvePath(dir, expandTilde(path, userHome));
  const search = (option: string | undefined, name: string) => [
    ...(option === undefined ? [] : [option]),
    joinPath(dir, name),
    resolvePath(dir, `../${name}`),
  ];
  return {
    experiments: search(experimentsDir, 'experiments'),
    subsystems: search(subsystemsDir, 'subsystem'),
    tmp: folder(input.tmp_data_dir),
    backup: folder(input.backup_dir),
    setup: folder(input.setup_dir),
  };
}

async function readTasks(
  input: TopInput,
  folders: HomeFolders,
  context: ReadContext,
): Promise<readonly TaskReading[]> {
  const { dir } = context;
  const sources = Object.entries(input.sources ?? {}).map(([name, source]) =>
    toSource(name, source, context),
  );
  const common: CommonSettings = {
    input,
    sources: new Map(sources.map((source) => [source.name, source])),
    context,
    folders,
  };
  const tasks: TaskReading[] = [];
  const read = async (kind: Task['kind'], folder: string) => {
    for (const name of await foldersIn(folder, context)) {
      if (tasks.some(({ task }) => task.kind === kind && task.name === name)) continue;
      tasks.push(await readTask({ kind, name, configDir: joinPath(folder, name) }, common));
    }
  };
  await read('experiment', joinPath(dir, 'config/experiments'));
  await read('subsystem', joinPath(dir, 'config/subsystem'));
  await read('subsystem', joinPath(dir, 'config/subsystems'));
  return linkTasks(tasks);
}

/** Folders directly inside, sorted; a link to a folder counts as one. */
async function foldersIn(dir: string, { disk }: ReadContext): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name, type } of await disk.list(dir)) {
    const isFolder =
      type === 'folder' || (type === 'link' && (await disk.stat(joinPath(dir, name)))?.type === 'folder');
    if (isFolder) names.push(name);
  }
  return names;
}

export interface TopReading {
  readonly input: TopInput;
  readonly problems: readonly Problem[];
  /** Why the home cannot be used; absent when it can. */
  readonly code?: 'CONFIG_FIELDS' | 'CONFIG_INVALID';
}

const MANDATORY = ['tmp_data_dir', 'backup_dir', 'setup_dir'] as const;

/** The top file. Where it is bad the rest of it is still read, so that tasks can be checked too. */
function readTop(definition: Definition): TopReading {
  const value = isJsonObject(definition.value) ? definition.value : {};
  const missing = MANDATORY.filter((field) => !Object.hasOwn(value, field));
  const result = topSchema.safeParse(definition.value);
  if (result.success) return { input: result.data, problems: [] };

  const issues = toProblems(result.error, { definition, path: [] }, (path) => keysAt(topSchema, path));
  const others = issues.filter(({ message }) => !missing.some((field) => message.startsWith(`${field}:`)));
  const problems = missing.length === 0 ? others : [missingFields(definition, missing), ...others];
  const bad = new Set(result.error.issues.map(({ path }) => path[0]));
  return {
    input: repaired(value, bad),
    problems,
    code: missing.length > 0 ? 'CONFIG_FIELDS' : 'CONFIG_INVALID',
  };
}

function missingFields(definition: Definition, missing: readonly string[]): Problem {
  const noun = missing.length === 1 ? 'mandatory field is' : 'mandatory fields are';
  return problemAt(definition, [], `${missing.length} ${noun} missing: ${missing.join(', ')}`, {
    hint: `Add for example "${missing[0]}": "~/nightmark/${missing[0]?.replace('_dir', '')}".`,
  });
}

function repaired(value: JsonObject, bad: ReadonlySet<PropertyKey | undefined>): TopInput {
  const good = Object.fromEntries(Object.entries(value).filter(([key]) => !bad.has(key)));
  return topSchema.parse({ tmp_data_dir: 'tmp', backup_dir: 'backup', setup_dir: 'setup', ...good });
}
