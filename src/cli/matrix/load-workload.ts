import { pathToFileURL } from 'node:url';
import { messageOf, NightmarkError } from '../../core/errors.ts';
import { resolvePath } from '../../core/path.ts';
import type { Workload } from '../../core/ports/workload.ts';
import type { CliContext } from '../context.ts';

/** Loads a workload from a JavaScript module: its default export. */
export async function loadWorkload(file: string, { cwd }: CliContext): Promise<Workload> {
  try {
    const path = resolvePath(cwd, file);
    const { default: workload } = (await import(pathToFileURL(path).href)) as { default: Workload };
    return workload;
  } catch (cause) {
    throw new NightmarkError('WORKLOAD_UNUSABLE', `${file} cannot be loaded: ${messageOf(cause)}`, {
      hint: 'A workload module exports one workload as its default.',
      cause,
    });
  }
}
