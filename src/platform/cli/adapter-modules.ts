import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the adapters of a kind lie, below src: FOLDER/ID/ID.ts, whose default export is the adapter. */
export const ADAPTER_FOLDERS = {
  executors: 'executors/adapters',
  exporters: 'matrix/adapters/exporters',
  followers: 'metrics/adapters/followers',
  formats: 'formats/adapters',
  forwarders: 'metrics/adapters/forwarders',
  notifiers: 'publish/adapters/notifiers',
  publishers: 'publish/adapters/publishers',
  queues: 'jobs/adapters/queues',
  remotes: 'matrix/adapters/remotes',
  sandboxes: 'duet/adapters/sandboxes',
  storages: 'metrics/adapters/storages',
  telemetry: 'home/adapters/telemetry',
} as const;
export type AdapterKind = keyof typeof ADAPTER_FOLDERS;

/**
 * The adapters of a kind, each with how to load it: the folders are the list. In the bundled program a table of the folders that
 * were there at build time takes the place of this module (scripts/build.mjs).
 */
export function adapterModules(kind: AdapterKind): ReadonlyMap<string, () => Promise<unknown>> {
  const folder = new URL(`../../${ADAPTER_FOLDERS[kind]}/`, import.meta.url);
  const entries = readdirSync(fileURLToPath(folder), { withFileTypes: true });
  const ids = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  return new Map(ids.map((id) => [id, () => import(new URL(`${id}/${id}.js`, folder).href)]));
}
