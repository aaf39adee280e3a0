import type { ResultsRule } from '../../../formats/core/format.ts';
import { joinPath, resolvePath } from '../../../platform/core/path.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Implementation, StageCommands } from '../../core/home.ts';
import { builtIn, findFolder, isFolder } from '../implementation.ts';
import { expandTilde } from '../sources.ts';
import type { Block, Input, NativeContext } from './read-native-task.ts';

const STAGES = ['setup', 'run', 'analyze', 'visualize', 'summarize'] as const;

/** How the task is done, and what is missing for it. */
export async function toImplementation(
  block: Block,
  input: Input,
  { context, folders }: NativeContext,
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
  return {
    implementation: { type: 'commands', cwd, commands: toCommands(input), results: toResults(input.results) },
  };
}

/** A task is done in one way: by commands, by a folder of scripts, or by something built in. */
export function whyNotRunnable(block: Block, value: JsonObject): readonly string[] {
  const ways = ['run', 'folder', ...(block === 'tasks' ? ['uses'] : [])];
  const chosen = ways.filter((way) => Object.hasOwn(value, way));
  const problems: string[] = [];
  if (chosen.length === 0) problems.push(`expected one of ${ways.join(', ')}, found none of them`);
  if (chosen.length > 1)
    problems.push(`expected only one of ${ways.join(', ')}, found ${chosen.join(' and ')}`);
  if (!chosen.includes('run')) {
    const lonely = [...STAGES, 'results', 'cwd', 'matrix'].filter((key) => Object.hasOwn(value, key));
    if (lonely.length > 0) problems.push(`${lonely.join(', ')} need the command "run"`);
  }
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
