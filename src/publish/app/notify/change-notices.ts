import { readLedger } from '../../../home/app/ledger-file.ts';
import type { ChangeEvent, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Home } from '../../../home/core/home.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { startOfRecent } from '../../../judge/app/changes/judge-home.ts';
import { missingNotice, returnedNotice } from '../../core/notices/absence-notice.ts';
import { changeNotice } from '../../core/notices/change-notice.ts';
import type { Notice } from '../../core/notices/notice.ts';
import type { Surroundings } from '../../core/notices/trial-notice.ts';
import type { CollectEffects } from './collect-notices.ts';
import { commitBook } from './commit-book.ts';

export interface ChangeScope {
  readonly home: Home;
  readonly run: Run;
  readonly previous: Run | undefined;
  readonly around: Surroundings;
}

/** What the ledger says since the night began, until the next one did. */
export async function changeNotices(
  { home, run, previous, around }: ChangeScope,
  { disk, store }: CollectEffects,
): Promise<readonly Notice[]> {
  const until = await startOfNext(run, store);
  const events: ChangeEvent[] = [];
  const from = previous?.startedAt ?? run.startedAt;
  const { ledger } = await readLedger(home.dir, disk, (event) => {
    if (event.at >= from && event.at < until) events.push(event);
  });
  const since = await startOfRecent(store);
  const commits = commitBook(store);
  const mentions = new Map(home.tasks.map((task) => [task.name, task.notify]));
  const notices: Notice[] = [];
  for (const [id, isNew] of touched(events, run.startedAt)) {
    const change = ledger.changes.get(id);
    if (!change) continue;
    const range = await commits.rangeOf(change);
    const notice = changeNotice(change, {
      ...around,
      ...(range !== undefined && { commits: range }),
      mentions: mentions.get(experimentOf(change)) ?? [],
    });
    // One that begins long ago is no news but for those who heard of it; `nightmark changes` has it.
    notices.push(isNew && change.at >= since ? notice : { ...notice, isAfterthought: true });
  }
  return [...notices, ...absenceNotices(events, { run, around })];
}

/** Ids of changes, and whether the night found something about them; else people spoke. */
function touched(events: readonly ChangeEvent[], startedAt: number): ReadonlyMap<string, boolean> {
  const ids = new Map<string, boolean>();
  for (const event of events) {
    const isNew = event.at >= startedAt && event.type !== 'triaged' && event.type !== 'explained';
    const id = 'change' in event ? event.change.id : 'id' in event ? event.id : undefined;
    if (id !== undefined && event.type !== 'moved') ids.set(id, isNew || ids.get(id) === true);
  }
  return ids;
}

function absenceNotices(
  events: readonly ChangeEvent[],
  { run, around }: Pick<ChangeScope, 'run' | 'around'>,
): readonly Notice[] {
  return events.flatMap((event) => {
    if (event.at < run.startedAt) return [];
    if (event.type === 'missing') return [missingNotice(event, around)];
    return event.type === 'returned' && event.reason === undefined
      ? [returnedNotice(event.series, around)]
      : [];
  });
}

async function startOfNext(run: Run, store: Store): Promise<number> {
  let next = Number.POSITIVE_INFINITY;
  for (let before: number | undefined; ; ) {
    const page = await store.latestRuns({
      kind: 'night',
      limit: 50,
      ...(before !== undefined && { before }),
    });
    for (const { startedAt } of page) {
      if (startedAt <= run.startedAt) return next;
      next = startedAt;
    }
    if (page.length === 0) return next;
    before = next;
  }
}

function experimentOf({ series }: FollowedChange): string {
  return series.kind === 'value' ? series.experiment : '';
}
