import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, dirName, joinPath } from '../../platform/core/path.ts';

/** Imports a module in TypeScript: Node itself from 22.18 on, before that the compiler that is installed beside it. */
export async function importTypeScript(
  path: string,
  text: string,
  { disk, processId }: Pick<CliContext, 'disk' | 'processId'>,
): Promise<unknown> {
  if ('typescript' in process.features && process.features.typescript)
    return import(pathToFileURL(path).href);
  const code = transpile(path, text);
  if (code === undefined) throw cannotRead(path);
  // Beside the module, so that what it imports is found; gone before anybody looks.
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

/** Undefined when there is no compiler that can be called; that of TypeScript 7 cannot. */
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
