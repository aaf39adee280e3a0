import openSqliteStore from '../adapters/stores/sqlite/index.ts';
import { NightmarkError } from '../core/errors.ts';
import { homeLayout } from '../core/model/layout.ts';
import type { CliContext } from './context.ts';

/** A home with results but without a usable index (a copied one, an old dashboard) gets one; an empty home none. */
export async function ensureIndex(home: string, context: CliContext): Promise<void> {
  const { index, runs, data } = homeLayout(home);
  const { disk, stderr } = context;
  if ((await disk.stat(index)) && (await isUpToDate(index))) return;
  const hasResults = (await disk.list(runs)).length > 0 || (await disk.list(data(''))).length > 0;
  if (!hasResults) return;
  stderr.write('This home has no index yet: building it from its files ...\n');
  const { rebuildIndex } = await import('./rebuild-index.ts');
  const { failed } = await rebuildIndex(home, context);
  if (failed > 0) stderr.write(`${failed} files could not be used: nightmark reindex names them.\n`);
}

async function isUpToDate(index: string): Promise<boolean> {
  try {
    (await openSqliteStore(index, { readOnly: true })).close();
    return true;
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'STORE_OUTDATED') return false;
    throw error;
  }
}
