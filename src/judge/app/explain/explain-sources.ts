import type { CommitsBetween } from '../../../git/core/commit-log.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { type RepositoryPages, repositoryPages } from '../../core/explain/commit-links.ts';
import type { Cause, ChangedFact, SourceChange } from '../../core/explain/explanation.ts';
import type { ExplainEffects } from './run-facts.ts';

/** Commits that are listed of each source; the count and a link cover all. */
const MAX_COMMITS = 10;
const MAX_TEXT = 300;

/** The sources among the causes, with the commits that lie between where the repository is available. */
export async function sourceChanges(
  home: string,
  causes: readonly Pick<Cause, 'facts'>[],
  effects: Pick<ExplainEffects, 'commits' | 'signal'>,
): Promise<{ readonly changes: readonly SourceChange[]; readonly notes: readonly string[] }> {
  const facts = causes.flatMap((cause) => cause.facts.filter(({ group }) => group === 'source'));
  const changes: SourceChange[] = [];
  const notes: string[] = [];
  for (const fact of facts) {
    const { name, from, to } = rangeOf(fact);
    try {
      const range = { source: name, cacheDir: homeLayout(home).sourceCache, from, to, limit: MAX_COMMITS };
      const found = await effects.commits?.commitsBetween(range, effects.signal);
      changes.push({ name, before: from, after: to, ...(found && { between: toBetween(found) }) });
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      changes.push({ name, before: from, after: to });
      notes.push(`The commits of ${name} could not be read: ${messageOf(error)}`);
    }
  }
  return { changes, notes };
}

function rangeOf({ name, before, after }: ChangedFact) {
  return { name, from: String(before), to: String(after) };
}

function toBetween({
  from,
  to,
  added,
  removed,
  remote,
}: CommitsBetween): NonNullable<SourceChange['between']> {
  const pages = remote === undefined ? undefined : repositoryPages(remote);
  const { commits } = added.count > 0 ? added : removed;
  return {
    added: added.count,
    removed: removed.count,
    commits: commits.map((commit) => ({
      ...commit,
      subject: commit.subject.slice(0, MAX_TEXT),
      author: commit.author.slice(0, MAX_TEXT),
      ...linkOf(pages, (it) => it.commit(commit.hash)),
    })),
    ...linkOf(pages, (it) => (added.count > 0 ? it.between?.(from, to) : it.between?.(to, from))),
  };
}

function linkOf(pages: RepositoryPages | undefined, pick: (pages: RepositoryPages) => string | undefined) {
  const link = pages && pick(pages);
  return link === undefined ? {} : { link };
}
