import { createRequire } from 'node:module';

/**
 * The YAML library, loaded when it is first needed: that takes longer than reading a thousand tests from a cache, and many
 * commands need it for nothing. The bundled program has its own copy (scripts/build.mjs).
 */
export function yamlLibrary(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}
