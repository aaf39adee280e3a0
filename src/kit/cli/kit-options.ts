import { existsSync } from 'node:fs';
import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { DataEntry } from '../core/data-series.ts';
import { dashboardInfo } from '../dashboard-info.ts';
import { sortData } from '../stage-files.ts';

/** The home of --home, of NIGHTMARK_HOME, or the current folder. */
export function homeOption(options: Options, { cwd, env }: CliContext): string {
  return resolvePath(cwd, textOption(options, 'home') ?? env['NIGHTMARK_HOME'] ?? '.');
}

/** The data of an experiment by its name, or of a folder (a path with "/"), oldest first; never empty. */
export function dataOf(what: string, options: Options, context: CliContext): readonly DataEntry[] {
  const dir = what.includes('/')
    ? resolvePath(context.cwd, what)
    : dashboardInfo(homeOption(options, context)).experimentDataDir(what);
  const entries = sortData(dir);
  if (entries.length > 0) return entries;
  const reason = existsSync(dir) ? 'holds no data of a night' : 'is not there';
  throw new NightmarkError('KIT_NO_DATA', `There is no data of ${what}: ${dir} ${reason}.`, {
    hint: 'Name an experiment of the home (--home DIR), or a folder with data files, with a "/" in it.',
  });
}

/** The text, or stdin for "-". */
export async function textOrStdin(text: string, { stdin }: CliContext): Promise<string> {
  if (text !== '-') return text;
  const lines: string[] = [];
  for await (const line of stdin ?? []) lines.push(line);
  return lines.join('\n');
}
