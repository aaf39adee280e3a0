import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { packageFile } from '../../platform/core/package-file.ts';
import { baseName, dirName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { sha256 } from '../../platform/core/text/sha256.ts';
import { defineWorkload, type WorkloadModule } from '../client/define-workload.ts';
import { toWorkload } from '../core/workload/to-workload.ts';

type LoadContext = Pick<CliContext, 'cwd' | 'disk' | 'stderr' | 'processId'>;

/** A workload from its file: declared in YAML, or a module. Warnings go to stderr. */
export async function loadWorkload(file: string, context: LoadContext): Promise<Workload> {
  const path = resolvePath(context.cwd, file);
  if (/\.ya?ml$/.test(path)) return loadDeclared(path, context);
  if (/\.(?:m?js|m?ts)$/.test(path)) return loadModule(path, context);
  throw new NightmarkError('WORKLOAD_UNKNOWN_KIND', `${file} is not a workload file.`, {
    hint: 'A workload is declared in a .yml or .yaml file, or written as a .js, .mjs or .ts module.',
  });
}

async function loadDeclared(path: string, { disk, stderr }: LoadContext): Promise<Workload> {
  // A module needs neither zod nor the YAML parser.
  const { readWorkloadFile } = await import('../config/workload/workload-file.ts');
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
  // The modules that it imports are not part of the version: see docs/guide/workloads.md.
  return { ...workload, version: `${workload.version}-${sha256(text).slice(0, 32)}` };
}

async function importModule(path: string, text: string, context: LoadContext): Promise<unknown> {
  // It starts a thread, so only for a module that imports something.
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

/** Imports a TypeScript module: by Node from 22.18 on, before that with the compiler installed beside the module. */
async function importTypeScript(
  path: string,
  text: string,
  { disk, processId }: Pick<CliContext, 'disk' | 'processId'>,
): Promise<unknown> {
  if ('typescript' in process.features && process.features.typescript)
    return import(pathToFileURL(path).href);
  const code = transpile(path, text);
  if (code === undefined) throw cannotRead(path);
  // Beside the module, so that its imports are found.
  const copy = joinPath(dirName(path), `.${baseName(path)}.${processId}.mjs`);
  await disk.writeText(copy, code);
  try {
    return await import(pathToFileURL(copy).href);
  } finally {
    await disk.remove(copy);
  }
}

interface Compiler {
  transpileModule?(text: string, options: object): { readonly outputText: string };
}

/** Undefined when there is no usable compiler; TypeScript 7 has no such interface. */
function transpile(path: string, text: string): string | undefined {
  const compiler = findCompiler(path);
  return compiler?.transpileModule?.(text, {
    fileName: path,
    compilerOptions: { module: 'ESNext', target: 'ES2022', verbatimModuleSyntax: true },
  }).outputText;
}

function findCompiler(path: string): Compiler | undefined {
  try {
    return createRequire(path)('typescript') as Compiler;
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function cannotRead(path: string): NightmarkError {
  return new NightmarkError(
    'WORKLOAD_TYPESCRIPT',
    `${path} is TypeScript, which Node ${process.versions.node} does not run.`,
    {
      hint: `Use Node 22.18 or later; or install typescript 5 or 6 beside it; or compile it: npx esbuild ${baseName(path)} --format=esm > ${baseName(path).replace(/ts$/, 'js')}`,
    },
  );
}

let isRegistered = false;

/** Lets a module import "nightmark/workload" from this installation, where none is installed beside it. */
function offerOwnPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  const own = packageFile(import.meta.url, 'dist/public/workload.js');
  const hook = `export const resolve = async (name, context, next) => {
  try { return await next(name, context); } catch (error) {
    if (name !== 'nightmark/workload') throw error;
    return { url: ${JSON.stringify(own)}, shortCircuit: true };
  }
};`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
