import { collectSamples } from '../../app/duet/store-iterations.ts';
import type { TableFile } from '../../core/duet/iteration-table.ts';
import { homeLayout } from '../../core/model/layout.ts';
import { resolvePath } from '../../core/path.ts';
import type { Store } from '../../core/ports/store.ts';
import { loadAdapter } from '../adapters.ts';
import type { CliContext } from '../context.ts';
import { ensureIndex } from '../home/ensure-index.ts';
import { requireHome } from '../home/require-home.ts';

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
