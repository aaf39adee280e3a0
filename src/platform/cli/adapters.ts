import { NightmarkError } from '../core/errors.ts';
import { type AdapterKind, adapterModules } from './adapter-modules.ts';

/** Ids of the adapters of a kind: the names of the folders. */
export function adapterIds(kind: AdapterKind): readonly string[] {
  return [...adapterModules(kind).keys()];
}

/** Loads an adapter on demand: the default export of its main file. */
export async function loadAdapter<T>(kind: AdapterKind, id: string): Promise<T> {
  const modules = adapterModules(kind);
  const load = modules.get(id);
  if (!load) {
    throw new NightmarkError('CLI_NO_ADAPTER', `There is no ${kind} adapter "${id}".`, {
      hint: `There are: ${[...modules.keys()].join(', ')}.`,
    });
  }
  const { default: adapter } = (await load()) as { default: T };
  return adapter;
}

export async function loadAll<T>(kind: AdapterKind): Promise<readonly T[]> {
  return Promise.all(adapterIds(kind).map((id) => loadAdapter<T>(kind, id)));
}
