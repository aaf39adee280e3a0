import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';

const NIGHTS = 60;

export interface HomeRuns {
  /** They make the strip and the headline: nights, or the imports of a home that has none. Newest first. */
  readonly shown: readonly Run[];
  /** Nights and imports, newest first. */
  readonly all: readonly Run[];
  /** Ids of imports. */
  readonly imported: ReadonlySet<string>;
}

export async function newestRuns(store: Store): Promise<HomeRuns> {
  const imports = await store.latestRuns({ limit: NIGHTS, kind: 'import' });
  const nights = await store.latestRuns({ limit: NIGHTS, kind: 'night' });
  const all = [...nights, ...imports].sort((a, b) => b.startedAt - a.startedAt);
  const imported = new Set(imports.map(({ id }) => id));
  return { shown: nights.length > 0 ? nights : imports, all, imported };
}
