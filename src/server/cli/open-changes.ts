import openSqliteStore from '../../home/adapters/stores/sqlite/sqlite.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { commitLog, rulesOf } from '../../judge/cli/changes/open-home.ts';
import type { ChangesService } from '../../judge/server/changes.ts';
import type { CliContext } from '../../platform/cli/command.ts';

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
