import type { Run } from '../core/run.ts';
import type { Store } from '../core/store.ts';

/** The newest runs that bring values of experiments: nights and imports, newest first. */
export async function latestValueRuns(store: Store, limit: number): Promise<readonly Run[]> {
  const nights = await store.latestRuns({ limit, kind: 'night' });
  const imports = await store.latestRuns({ limit, kind: 'import' });
  if (imports.length === 0) return nights;
  return [...nights, ...imports].sort(newestFirst).slice(0, limit);
}

function newestFirst(a: Run, b: Run): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
}
