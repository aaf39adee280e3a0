import type { CommitLog, CommitsBetween } from '../../../git/core/commit-log.ts';
import { appendEvents, readLedger } from '../../../home/app/ledger-file.ts';
import type { NamedCommit, SourceRange } from '../../../home/core/changes/change.ts';
import {
  addEvent,
  type ChangeEvent,
  type FollowedChange,
  type GrowingLedger,
} from '../../../home/core/changes/change-ledger.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { type RepositoryPages, repositoryPages, templatePages } from '../../core/explain/commit-links.ts';
import { type JudgeEffects, saveAffected } from './judge-home.ts';

export interface CommitEffects extends JudgeEffects {
  /** Opened when there is something to look up; absent: only hashes are known. */
  readonly openCommits?: () => Promise<CommitLog>;
  /** How the definition links to a commit of a source: "https://example.org/x/commit/{commit}". */
  readonly linkOf?: (source: string) => string | undefined;
  readonly signal: CancelSignal;
}

/** Commits that are kept of each source; the count and a link cover all. */
const MOST_COMMITS = 20;
const MOST_TEXT = 300;
/** A history that is judged for the first time may have thousands of changes: the newest get their commits by themselves. */
const MOST_CHANGES = 500;

/** Writes down which commits lie between the values on both sides of each change, where that is not known yet. */
export async function nameCommits(
  home: string,
  effects: CommitEffects,
): Promise<ReadonlyMap<string, readonly SourceRange[]>> {
  const { disk, store, clock } = effects;
  const { ledger } = await readLedger(home, disk);
  const waiting = [...ledger.changes.values()]
    .filter(({ sources, withdrawnAt, series }) => {
      return sources === undefined && withdrawnAt === undefined && series.kind === 'value';
    })
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_CHANGES);
  if (waiting.length === 0) return new Map();
  const lookup = commitLookup(home, effects);
  const named = new Map<string, readonly SourceRange[]>();
  const events: ChangeEvent[] = [];
  for (const change of waiting) {
    const sources = await sourcesOf(change, lookup, store);
    if (sources === undefined) continue;
    named.set(change.id, sources);
    events.push({ type: 'commits', at: clock.now(), id: change.id, runId: change.runId, sources });
  }
  await record(home, events, { ledger, disk, store });
  return named;
}

async function record(
  home: string,
  events: readonly ChangeEvent[],
  { ledger, disk, store }: Pick<JudgeEffects, 'disk' | 'store'> & { readonly ledger: GrowingLedger },
): Promise<void> {
  if (events.length === 0) return;
  await appendEvents(home, events, disk);
  for (const event of events) addEvent(ledger, event);
  await saveAffected(events, ledger, store);
}

/** Undefined: one of the two runs has no commits, so that nothing can be said. */
async function sourcesOf(
  { series, runId, lastRunId, sureRunId = runId }: FollowedChange,
  lookup: CommitLookup,
  store: Store,
): Promise<readonly SourceRange[] | undefined> {
  if (series.kind !== 'value' || lastRunId === undefined) return undefined;
  const trials = await store.trialsOf([lastRunId, sureRunId]);
  const commitsAt = (run: string) =>
    trials.find((trial) => trial.runId === run && trial.task === series.experiment)?.commits ?? {};
  const [before, after] = [commitsAt(lastRunId), commitsAt(sureRunId)];
  if (Object.keys(after).every((source) => before[source] === undefined)) return undefined;
  const ranges: SourceRange[] = [];
  for (const [source, to] of Object.entries(after)) {
    const from = before[source];
    if (from !== undefined && from !== to) ranges.push(await lookup({ source, from, to }));
  }
  return ranges;
}

type CommitLookup = (range: {
  readonly source: string;
  readonly from: string;
  readonly to: string;
}) => Promise<SourceRange>;

/** Many changes begin with the same commit: each range is looked up once. */
function commitLookup(home: string, effects: CommitEffects): CommitLookup {
  const known = new Map<string, Promise<SourceRange>>();
  return (range) => {
    const key = JSON.stringify(range);
    const found = known.get(key) ?? lookUp(home, range, effects);
    known.set(key, found);
    return found;
  };
}

async function lookUp(
  home: string,
  { source, from, to }: Parameters<CommitLookup>[0],
  { openCommits, linkOf, store, signal }: CommitEffects,
): Promise<SourceRange> {
  const commits = await openCommits?.();
  const cacheDir = homeLayout(home).sourceCache;
  const between = await readBetween(commits, { source, cacheDir, from, to, limit: MOST_COMMITS }, signal);
  const template = linkOf?.(source);
  const pages =
    template === undefined ? between?.remote && repositoryPages(between.remote) : templatePages(template);
  const base = { source, before: from, after: to };
  if (!between) {
    const facts = await store.commitFacts(source, to);
    return { ...base, commits: [{ hash: to, ...facts, ...linkTo(pages || undefined, to, facts?.link) }] };
  }
  return { ...base, ...rangeOf(between, pages || undefined) };
}

/** A repository that cannot be read is as good as none. */
async function readBetween(
  commits: CommitLog | undefined,
  range: Parameters<CommitLog['commitsBetween']>[0],
  signal: CancelSignal,
): Promise<CommitsBetween | undefined> {
  try {
    return await commits?.commitsBetween(range, signal);
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}

function rangeOf(
  { from, to, added, removed }: CommitsBetween,
  pages: RepositoryPages | undefined,
): Omit<SourceRange, 'source' | 'before' | 'after'> {
  const isAhead = added.count > 0;
  const list = isAhead ? added.commits : removed.commits;
  const link = isAhead ? pages?.between?.(from, to) : pages?.between?.(to, from);
  return {
    ...{ added: added.count, removed: removed.count },
    commits: list.map(({ hash, subject, author, at }): NamedCommit => {
      const facts = { subject: subject.slice(0, MOST_TEXT), author: author.slice(0, MOST_TEXT), at };
      return { hash, ...facts, ...linkTo(pages, hash, undefined) };
    }),
    ...(link !== undefined && { link }),
  };
}

function linkTo(pages: RepositoryPages | undefined, hash: string, given: string | undefined) {
  const link = pages?.commit(hash) ?? given;
  return link === undefined ? {} : { link };
}
