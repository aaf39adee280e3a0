import openSqliteStore from '../../adapters/stores/sqlite/index.ts';
import { homeLayout } from '../../core/model/layout.ts';
import type { ChangesService } from '../../server/effects.ts';
import { commitLog } from '../changes/explanation.ts';
import { rulesOf } from '../changes/open-home.ts';
import type { CliContext } from '../context.ts';

/** What the server needs to explain changes, and to write down what people say of them. */
export async function openChanges(home: string, context: CliContext): Promise<ChangesService> {
  return {
    rules: () => rulesOf(home, context),
    commits: await commitLog(),
    signal: context.signal,
    async write(work) {
      const store = await openSqliteStore(homeLayout(home).index);
      try {
        return await work(store);
      } finally {
        store.close();
      }
    },
  };
}
