import type { Executor } from '../../../executors/core/executor.ts';
import type { CommitLog } from '../../../git/core/commit-log.ts';
import { openSqliteStore } from '../../../home/adapters/store/sqlite-store.ts';
import { declaredDirections } from '../../../home/cli/declared-directions.ts';
import { ensureIndex } from '../../../home/cli/home-index.ts';
import { readHome } from '../../../home/config/read-home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { applyDirections } from '../../app/changes/apply-directions.ts';
import { type JudgeEffects, type JudgeReport, judgeHome } from '../../app/changes/judge-home.ts';
import { DEFAULT_RULES, type JudgingRules, judgingRules } from '../../app/series/judging-rules.ts';
import { reasonToRejudge } from '../../app/series/stored-judgements.ts';
import { directedLine } from './describe-news.ts';

/** Opens the index of a home for the work, and closes it. Undefined store: there are no results yet. */
export async function withHomeStore<T>(
  home: string,
  context: CliContext,
  work: (store: Store | undefined) => Promise<T>,
): Promise<T> {
  if (!(await ensureIndex(home, context))) return work(undefined);
  const store = await openSqliteStore(homeLayout(home).index);
  try {
    const directions = await declaredDirections(home, context);
    if (directions) {
      const { disk, clock, stderr } = context;
      const directed = await applyDirections(home, { directions }, { disk, clock, store });
      if (directed.length > 0) stderr.write(`${directedLine(directed)}\n`);
    }
    return await work(store);
  } finally {
    store.close();
  }
}

/** Brings the directions of the definition into the index where it has others; a complete one is only read. */
export async function bringDirections(home: string, context: CliContext): Promise<void> {
  const directions = await declaredDirections(home, context);
  const reader = await openSqliteStore(homeLayout(home).index, { readOnly: true });
  let known: string;
  try {
    known = JSON.stringify(await reader.directions());
  } finally {
    reader.close();
  }
  if (directions && JSON.stringify(directions) !== known)
    await withHomeStore(home, context, async () => undefined);
}

/** Judges a home that is not judged by its rules and this version: an index that was rebuilt, or an older one. */
export async function judgeUnjudged(
  home: string,
  context: CliContext,
  effects: Pick<JudgeEffects, 'rest'> = {},
): Promise<JudgeReport | undefined> {
  const { disk, clock, signal } = context;
  const { index } = homeLayout(home);
  const rules = await rulesOf(home, context);
  // Many homes are complete, and some must not be written.
  const reader = await openSqliteStore(index, { readOnly: true });
  try {
    if ((await reasonToRejudge(reader, rules)) === undefined) return undefined;
  } finally {
    reader.close();
  }
  const store = await openSqliteStore(index);
  try {
    return await judgeHome({ home, rules, scope: {} }, { disk, store, clock, signal, ...effects });
  } finally {
    store.close();
  }
}

/** Rules of the definition of a home; the defaults for a folder of results without one. */
export async function rulesOf(
  home: string,
  { disk, userHome, env, stderr }: CliContext,
): Promise<JudgingRules> {
  try {
    const reading = await readHome(home, {}, { disk, userHome, env });
    return judgingRules(reading.home);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    stderr.write(`The rules of ${home} could not be read (${error.message}): the usual ones are used.\n`);
    return DEFAULT_RULES;
  }
}

/** Reads commits from the cache of sources of a home; fetches nothing. */
export async function commitLog(): Promise<CommitLog> {
  const executor = await loadAdapter<Executor>('executors', 'process');
  const { gitSources } = await import('../../../git/adapters/git.ts');
  return gitSources(executor);
}
