import type { Definition } from '../../platform/config/definition.ts';
import { problemAt } from '../../platform/config/definition-problems.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { isJsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { type Home, type HomeReading, NECESSARY_SCRIPTS, type Task } from '../core/home.ts';
import { experimentSchema, subsystemSchema, topSchema } from './dashboard-schema.ts';
import type { Definitions, ReadEffects, ReadOptions, TaskDefinition } from './home-inspection.ts';
import { inspectHome } from './read-home.ts';

export interface HomeCheck {
  /** Absent where the home cannot be used at all. */
  readonly reading?: HomeReading;
  readonly definitions?: Definitions;
  /** Sorted by file and place. */
  readonly problems: readonly Problem[];
}

/** Everything that is or could be wrong with a home, beyond what a night needs to know. */
export async function checkHome(dir: string, options: ReadOptions, effects: ReadEffects): Promise<HomeCheck> {
  const inspection = await inspectHome(dir, options, effects);
  if (inspection.state === 'unusable') return { problems: sorted(inspection.problems) };
  const { reading, definitions } = inspection;
  const problems = [
    ...reading.problems,
    ...(reading.home.dialect === 'dashboard' ? findTypos(definitions) : []),
    ...(await checkScripts(reading.home, definitions, effects.disk)),
    ...noExperiments(reading, definitions),
  ];
  return { reading, definitions, problems: sorted(problems) };
}

function noExperiments({ home }: HomeReading, { top }: Definitions): readonly Problem[] {
  if (home.tasks.some(({ kind }) => kind === 'experiment')) return [];
  const hint =
    home.dialect === 'native'
      ? 'Add "experiments:" with a name and a command.'
      : 'Make a folder config/experiments/<name> with a config.json.';
  return [{ severity: 'warning', file: top.file, message: 'the home has no experiments', hint }];
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

/** What the precheck of the next night would report about the scripts of active tasks. */
async function checkScripts(home: Home, { tasks }: Definitions, disk: Disk): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const place of tasks) {
    const { task } = place;
    if (task.state !== 'active' || task.implementation.type !== 'scripts') continue;
    const { dir } = task.implementation;
    if (dir === undefined) problems.push(noFolder(place, home));
    else problems.push(...(await checkReadable(task, dir, disk)));
  }
  return problems;
}

function noFolder({ task, definition, path }: TaskDefinition, { folders }: Home): Problem {
  const searched = task.kind === 'experiment' ? folders.experiments : folders.subsystems;
  return {
    severity: 'error',
    file: definition?.file ?? task.configDir,
    ...definition?.positionOf(path, 'key'),
    message: `Script subdirectory for ${task.name} missing`,
    hint: `Searched for ${searched.map((folder) => joinPath(folder, task.name)).join(', ')}.`,
  };
}

/** A folder that cannot be read is one problem among others. */
async function checkReadable(task: Task, dir: string, disk: Disk): Promise<readonly Problem[]> {
  try {
    return await checkFolder(task, dir, disk);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const { message, hint } = error;
    return [{ severity: 'error', file: dir, message, ...(hint !== undefined && { hint }) }];
  }
}

async function checkFolder(task: Task, dir: string, disk: Disk): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const missing: string[] = [];
  for (const script of NECESSARY_SCRIPTS[task.kind]) {
    if (!(await disk.isExecutable(joinPath(dir, script)))) missing.push(script);
  }
  if (missing.length > 0) {
    problems.push({
      severity: 'error',
      file: dir,
      message: `Necessary files are missing from ${dir} or not executable: ${missing.join(', ')}`,
      hint: `Scripts that are there need: chmod +x ${missing.join(' ')}`,
    });
  }
  const setup = joinPath(dir, 'setup.sh');
  if (task.kind === 'experiment' && (await disk.stat(setup)) && !(await disk.isExecutable(setup))) {
    const message = 'setup.sh is not executable and will not run';
    problems.push({ severity: 'warning', file: setup, message, hint: `chmod +x ${setup}` });
  }
  return problems;
}

/** Fields that scripts of the original read for themselves: no typing mistakes, however near to one of ours. */
const OF_SCRIPTS = new Set([
  'devices',
  'networks',
  'frameworks',
  'dry_run',
  'n_inputs',
  'n_times_per_input',
  'set_seed',
  'seed',
  'batch_sizes',
  'relay_methods',
  'relay_configs',
  'deadlines',
  'time_window',
  'score_confs',
  'our_name',
]);

/** Unknown fields are fine in this dialect; one that is nearly ours deserves a question. */
function findTypos({ top, tasks }: Definitions): readonly Problem[] {
  return [
    ...typosIn(top, Object.keys(topSchema.shape)),
    ...tasks.flatMap(({ task, definition }) => {
      if (!definition) return [];
      const schema = task.kind === 'experiment' ? experimentSchema : subsystemSchema;
      return typosIn(definition, Object.keys(schema.shape));
    }),
  ];
}

function typosIn(definition: Definition, known: readonly string[]): readonly Problem[] {
  const fields = isJsonObject(definition.value) ? Object.keys(definition.value) : [];
  return fields.flatMap((field) => {
    if (known.includes(field) || OF_SCRIPTS.has(field)) return [];
    const close = nearest(field, known);
    if (close === undefined) return [];
    const hint = `Did you mean "${close}"? Nightmark does not read this field.`;
    const message = `${JSON.stringify(field)} looks like a typing mistake`;
    return [{ ...problemAt(definition, [field], message, { hint, part: 'key' }), severity: 'warning' }];
  });
}
