import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { HomeReading } from '../core/home.ts';
import { readDashboard, type TopFile } from './dashboard-home.ts';
import type { Inspection, ReadContext, ReadEffects, ReadOptions } from './home-inspection.ts';
import { readNative } from './native-home.ts';

/** Reads a home of any dialect. Problems of single tasks are in the result; a bad top level throws with all of them. */
export async function readHome(
  dir: string,
  options: ReadOptions,
  effects: ReadEffects,
): Promise<HomeReading> {
  const inspection = await inspectHome(dir, options, effects);
  if (inspection.state === 'unusable') throw inspection.error;
  return inspection.reading;
}

/** As readHome, but a home that cannot be used is a value too: for `check`. */
export async function inspectHome(
  dir: string,
  options: ReadOptions,
  effects: ReadEffects,
): Promise<Inspection> {
  const context: ReadContext = { ...options, ...effects, dir };
  const found = await existing(dir, effects.disk);
  const [first, ...others] = found;
  if (!first) return missing(dir);
  const inspection = await first.read(context);
  return others.reduce((result, { file }) => warned(result, ignored(file, first.file)), inspection);
}

interface TopLevel {
  readonly file: string;
  read(context: ReadContext): Promise<Inspection>;
}

/** The files that can define a home, the one that wins first. */
async function existing(dir: string, disk: Disk): Promise<readonly TopLevel[]> {
  const native = ['nightmark.yml', 'nightmark.yaml'].map((name) => joinPath(dir, name));
  const dashboard: readonly TopFile[] = [
    { file: joinPath(dir, 'config.json'), subsystemArguments: 'home-output' },
    { file: joinPath(dir, 'config/config.json'), subsystemArguments: 'output-home' },
  ];
  const candidates: readonly TopLevel[] = [
    ...native.map((file) => ({ file, read: (context: ReadContext) => readNative(file, context) })),
    ...dashboard.map((top) => ({
      file: top.file,
      read: (context: ReadContext) => readDashboard(top, context),
    })),
  ];
  const found: TopLevel[] = [];
  for (const candidate of candidates) if (await disk.stat(candidate.file)) found.push(candidate);
  return found;
}

function missing(dir: string): Inspection {
  const message = `Dashboard config (config.json) is missing in ${dir}`;
  const hint = `"nightmark init ${dir}" makes a home that runs; a home has a nightmark.yml or a config.json.`;
  const error = new NightmarkError('CONFIG_MISSING', message, { hint });
  return { state: 'unusable', error, problems: [{ severity: 'error', file: dir, message, hint }] };
}

function ignored(file: string, used: string): Problem {
  return {
    severity: 'warning',
    file,
    message: `this file is ignored: ${used} is used`,
    hint: 'Remove one of the two.',
  };
}

function warned(inspection: Inspection, problem: Problem): Inspection {
  if (inspection.state === 'unusable') {
    return { ...inspection, problems: [...inspection.problems, problem] };
  }
  const { reading } = inspection;
  return { ...inspection, reading: { ...reading, problems: [...reading.problems, problem] } };
}
