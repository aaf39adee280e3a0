import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';

export interface CommitBook {
  /** "garage 1a2b3c..4d5e6f": sources that differ between the last night before a change and its first one. */
  rangeOf(change: Pick<FollowedChange, 'series' | 'runId' | 'at'>): Promise<string | undefined>;
}

type Commits = Readonly<Record<string, string>>;

/** Looks the commits of a night up once, however many changes it has. */
export function commitBook(store: Store): CommitBook {
  const known = new Map<string, Promise<ReadonlyMap<string, Commits>>>();
  const commitsOf = (runId: string) => {
    const found = known.get(runId) ?? readCommits(runId, store);
    known.set(runId, found);
    return found;
  };
  const before = new Map<number, Promise<string | undefined>>();
  const runBefore = (at: number) => {
    const found =
      before.get(at) ?? store.latestRuns({ kind: 'night', before: at, limit: 1 }).then(([run]) => run?.id);
    before.set(at, found);
    return found;
  };
  return {
    async rangeOf({ series, runId, at }) {
      if (series.kind !== 'value') return undefined;
      const earlier = await runBefore(at);
      if (earlier === undefined) return undefined;
      const [from, to] = [await commitsOf(earlier), await commitsOf(runId)];
      return rangeText(from.get(series.experiment) ?? {}, to.get(series.experiment) ?? {});
    },
  };
}

async function readCommits(runId: string, store: Store): Promise<ReadonlyMap<string, Commits>> {
  const trials = await store.trialsOf([runId]);
  return new Map(
    trials.flatMap(({ kind, task, commits }) => (kind === 'experiment' ? [[task, commits] as const] : [])),
  );
}

function rangeText(from: Commits, to: Commits): string | undefined {
  const ranges = Object.entries(to).flatMap(([source, commit]) => {
    const earlier = from[source];
    return earlier === undefined || earlier === commit ? [] : [`${source} ${earlier}..${commit}`];
  });
  return ranges.length === 0 ? undefined : ranges.join(', ');
}
