import { NightmarkError } from '../core/errors.ts';
import type { HomeReading, Problem } from '../core/model/home.ts';
import { joinPath } from '../core/path.ts';
import type { Disk } from '../core/ports/disk.ts';
import { readDashboard, type TopFile } from './dashboard/read-dashboard.ts';
import type { Inspection, ReadContext, ReadEffects, ReadOptions } from './inspection.ts';

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
  const inHome = joinPath(dir, 'config.json');
  const inConfig = joinPath(dir, 'config/config.json');
  const [first, second] = [await exists(inHome, effects.disk), await exists(inConfig, effects.disk)];

  if (!first && !second) return missing(dir);
  const top: TopFile = first
    ? { file: inHome, subsystemArguments: 'home-output' }
    : { file: inConfig, subsystemArguments: 'output-home' };
  const inspection = await readDashboard(top, context);
  return first && second
    ? warned(inspection, ignored(inConfig, 'config.json in the home itself is used'))
    : inspection;
}

function missing(dir: string): Inspection {
  const message = `Dashboard config (config.json) is missing in ${dir}`;
  const hint = `"nightmark init ${dir}" makes a home that runs; a home has a nightmark.yml or a config.json.`;
  const error = new NightmarkError('CONFIG_MISSING', message, { hint });
  return { state: 'unusable', error, problems: [{ severity: 'error', file: dir, message, hint }] };
}

function ignored(file: string, reason: string): Problem {
  return {
    severity: 'warning',
    file,
    message: `this file is ignored: ${reason}`,
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

async function exists(file: string, disk: Disk): Promise<boolean> {
  return (await disk.stat(file)) !== undefined;
}
