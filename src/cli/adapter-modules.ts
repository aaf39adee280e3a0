import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The adapters of a kind, each with how to load it: the folders are the list. The bundled program has a module made at build
 * time in place of this one (scripts/build-start.mjs), with the folders that were there then.
 */
export function adapterModules(kind: string): ReadonlyMap<string, () => Promise<unknown>> {
  const folder = new URL(`../adapters/${kind}/`, import.meta.url);
  const entries = readdirSync(fileURLToPath(folder), { withFileTypes: true });
  const ids = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  return new Map(ids.map((id) => [id, () => import(new URL(`${id}/index.js`, folder).href)]));
}
