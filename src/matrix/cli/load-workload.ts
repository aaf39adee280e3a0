import { pathToFileURL } from 'node:url';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { sha256 } from '../../platform/core/text/sha256.ts';
import { defineWorkload, type WorkloadModule } from '../client/define-workload.ts';
import { toWorkload } from '../core/workload/to-workload.ts';
import { importTypeScript } from './import-typescript.ts';
import { offerOwnPackage } from './own-package.ts';

type LoadContext = Pick<CliContext, 'cwd' | 'disk' | 'stderr' | 'processId'>;

/** A workload from its file: declared in YAML, or a module. Warnings go to stderr. */
export async function loadWorkload(file: string, context: LoadContext): Promise<Workload> {
  const path = resolvePath(context.cwd, file);
  if (/\.ya?ml$/.test(path)) return loadDeclared(path, context);
  if (/\.(?:m?js|m?ts)$/.test(path)) return loadModule(path, context);
  throw new NightmarkError('WORKLOAD_UNKNOWN_KIND', `${file} is no workload file that can be read.`, {
    hint: 'A workload is declared in a .yml or .yaml file, or written as a .js, .mjs or .ts module.',
  });
}

async function loadDeclared(path: string, { disk, stderr }: LoadContext): Promise<Workload> {
  // A module needs neither the schema library nor that of YAML.
  const { readWorkloadFile } = await import('../config/workload/read-workload-file.ts');
  const { workload, problems } = await readWorkloadFile(path, { disk });
  for (const { file, line = 1, column = 1, message, hint } of problems) {
    stderr.write(`${file}:${line}:${column}: warning: ${message}${hint === undefined ? '' : ` (${hint})`}\n`);
  }
  return toWorkload(workload);
}

async function loadModule(path: string, context: LoadContext): Promise<Workload> {
  const text = await context.disk.readText(path);
  if (text === undefined) {
    throw new NightmarkError('WORKLOAD_NO_FILE', `There is no workload ${path}.`, {
      hint: 'nightmark matrix init DIR -o FILE drafts one from an example result.',
    });
  }
  const workload = toModule(await importModule(path, text, context), path);
  // What the module imports is not looked at: see docs/guide/workloads.md.
  return { ...workload, version: `${workload.version}-${sha256(text).slice(0, 32)}` };
}

async function importModule(path: string, text: string, context: LoadContext): Promise<unknown> {
  // Costs the start of a thread: only for a module that imports something.
  if (/\b(?:import|from)\b/.test(text)) offerOwnPackage();
  try {
    const { default: exported } = (
      path.endsWith('ts')
        ? await importTypeScript(path, text, context)
        : await import(pathToFileURL(path).href)
    ) as { default?: unknown };
    return exported;
  } catch (cause) {
    if (cause instanceof NightmarkError) throw cause;
    throw new NightmarkError('WORKLOAD_UNUSABLE', `${path} cannot be loaded: ${messageOf(cause)}`, {
      hint: 'A module is plain JavaScript with "export default"; what it imports must be installed beside it.',
      cause,
    });
  }
}

function toModule(exported: unknown, path: string): Workload {
  if (isWorkload(exported)) return exported;
  if (isModule(exported)) return defineWorkload(exported);
  throw new NightmarkError('WORKLOAD_UNUSABLE', `${path} has no workload as its default export.`, {
    hint: 'export default { name: "mine", parse: async ({ json }) => ({ ... }) }, or defineWorkload({ ... }).',
  });
}

function isWorkload(value: unknown): value is Workload {
  const candidate = value as Workload | null | undefined;
  return typeof candidate?.parseOnce === 'function' && typeof candidate.version === 'string';
}

function isModule(value: unknown): value is WorkloadModule {
  const candidate = value as WorkloadModule | null | undefined;
  return typeof candidate?.parse === 'function' && typeof candidate.name === 'string';
}
