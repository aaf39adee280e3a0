import openSqliteStore from '../../../home/adapters/stores/sqlite/sqlite.ts';
import { ensureIndex } from '../../../home/cli/home-index.ts';
import { readHome } from '../../../home/config/read-home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { type RuleBook, ruleBook, USUAL_RULES } from '../../app/changes/rules.ts';

/** Opens the index of a home for the work, and closes it. Undefined store: there are no results yet. */
export async function withHomeStore<T>(
  home: string,
  context: CliContext,
  work: (store: Store | undefined) => Promise<T>,
): Promise<T> {
  if (!(await ensureIndex(home, context))) return work(undefined);
  const store = await openSqliteStore(homeLayout(home).index);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** What the definition of a home says about changes; the usual rules for a folder of results without one. */
export async function rulesOf(home: string, { disk, userHome, env, stderr }: CliContext): Promise<RuleBook> {
  try {
    const reading = await readHome(home, {}, { disk, userHome, env });
    return ruleBook(reading.home);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    stderr.write(`The rules of ${home} could not be read (${error.message}): the usual ones are used.\n`);
    return USUAL_RULES;
  }
}
