import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants, Script } from 'node:vm';

interface Chunk {
  exports: object;
  require(id: string): unknown;
}
type Load = (chunk: Chunk, file: string) => void;
type ChunkBody = (
  exports: object,
  require: (id: string) => unknown,
  chunk: Chunk,
  ...place: string[]
) => void;

/**
 * Loads what is bundled with what V8 had compiled of it when it was built (scripts/program/compile-ahead.mjs): to compile took
 * as long as to draw a chart. V8 leaves aside what another version wrote. Node 22 keeps such files by itself.
 */
export function useCompiledChunks(): void {
  const { enableCompileCache, Module } = nodeModule as unknown as {
    enableCompileCache?: () => void;
    Module: { _extensions: Record<string, Load | undefined> };
  };
  if (enableCompileCache) {
    enableCompileCache();
    return;
  }
  const usual = Module._extensions['.js'];
  Module._extensions['.cjs'] = (chunk, file) => {
    const compiled = compiledOf(file);
    if (compiled) runChunk(chunk, file, compiled);
    else usual?.(chunk, file);
  };
}

/** Where the compiled form of a chunk lies. */
export const compiledFile = (chunk: string): string => `${chunk}.compiled`;

/** As Node makes a function of a CommonJS file. */
export function chunkScript(file: string, cachedData?: Buffer): Script {
  const text = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, 'utf8')}\n})`;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script(text, { filename: file, importModuleDynamically, ...(cachedData && { cachedData }) });
}

function compiledOf(file: string): Buffer | undefined {
  try {
    return readFileSync(compiledFile(file));
  } catch {
    return undefined;
  }
}

function runChunk(chunk: Chunk, file: string, compiled: Buffer): void {
  const body = chunkScript(file, compiled).runInThisContext() as ChunkBody;
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')));
  body.call(chunk.exports, chunk.exports, (id) => chunk.require(id), chunk, file, folder);
}
