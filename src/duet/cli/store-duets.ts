import { ensureIndex } from '../../home/cli/index/ensure-index.ts';
import { requireHome } from '../../home/cli/require-home.ts';
import { homeLayout } from '../../home/core/layout.ts';
import type { Store } from '../../home/core/store.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { collectSamples } from '../app/store-iterations.ts';
import type { TableFile } from '../core/table/iteration-table.ts';

/** The times of a table on their way into the store of a home. */
interface Storing {
  add(file: TableFile): void;
  /** The id of the run that they became. */
  finish(): Promise<string>;
}

/** Refuses a folder that is no home before anything is read. */
export async function beginStoring(given: string, context: CliContext): Promise<Storing> {
  const home = await requireHome(resolvePath(context.cwd, given), context.disk);
  const collected = collectSamples();
  return {
    add: collected.add,
    async finish() {
      await ensureIndex(home, context);
      const openStore = await loadAdapter<(file: string) => Promise<Store>>('stores', 'sqlite');
      const { disk, clock, randomSeed } = context;
      await disk.makeDir(homeLayout(home).own);
      const store = await openStore(homeLayout(home).index);
      try {
        return await collected.save(home, { disk, clock, store, randomSeed });
      } finally {
        store.close();
      }
    },
  };
}
