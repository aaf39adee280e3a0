import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The adapters of a kind, each with how to load it: the folders are the list. In the bundled program a table of the folders that
 * were there at build time takes the place of this module (scripts/build.mjs).
 */
export function adapterModules(kind: string): ReadonlyMap<string, () => Promise<unknown>> {
  const folder = new URL(`../adapters/${kind}/`, import.meta.url);
  const entries = readdirSync(fileURLToPath(folder), { withFileTypes: true });
  const ids = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  return new Map(ids.map((id) => [id, () => import(new URL(`${id}/index.js`, folder).href)]));
}
