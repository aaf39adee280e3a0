import type { CliContext } from '../../../platform/cli/context.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import openSqliteStore from '../../adapters/stores/sqlite/sqlite.ts';
import { homeLayout } from '../../core/home-layout.ts';

/**
 * A home with results but without a usable index (a copied one, an old dashboard, a damaged file) gets one from its
 * files. False: the home has no results yet, and no index.
 */
export async function ensureIndex(home: string, context: CliContext): Promise<boolean> {
  const { index, runs, data, payloads } = homeLayout(home);
  const { disk, stderr } = context;
  const reason = await whyUnusable(index, context);
  if (reason === undefined) return true;
  const folders = [runs, data(''), payloads('')];
  const contents = await Promise.all(folders.map((folder) => disk.list(folder)));
  const hasResults = contents.some((entries) => entries.length > 0);
  if (!hasResults) return false;
  stderr.write(`${reason}: building it from its files ...\n`);
  const { rebuildIndex } = await import('./rebuild-index.ts');
  const { failed } = await rebuildIndex(home, context);
  if (failed > 0) stderr.write(`${failed} files could not be used: nightmark reindex names them.\n`);
  return true;
}

async function whyUnusable(index: string, { disk }: CliContext): Promise<string | undefined> {
  if (!(await disk.stat(index))) return 'This home has no index yet';
  try {
    (await openSqliteStore(index, { readOnly: true })).close();
    return undefined;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    if (error.code === 'STORE_EMPTY') return 'The index of this home is empty';
    if (error.code === 'STORE_OUTDATED') return 'The index of this home is of an older version';
    if (error.code === 'STORE_DAMAGED') return 'The index of this home is damaged';
    throw error;
  }
}
