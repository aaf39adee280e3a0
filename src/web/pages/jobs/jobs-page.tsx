import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JobCounts, JobList as JobListDocument } from '../../../core/jobs/job-documents.ts';
import type { ListedJob } from '../../../core/jobs/job-view.ts';
import { counted, formatNumber } from '../../../core/text/numbers.ts';
import { documentRef } from '../../data/document.ts';
import { theSource } from '../../data/source.ts';
import { useDocument } from '../../data/use-document.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Empty, Loading, Problem } from '../../parts/states-of-page.tsx';
import { setParameters, useParameter } from '../../router/use-address.ts';
import { ActionBar } from './actions/action-bar.tsx';
import { changeJobs } from './actions/change-jobs.ts';
import { type Filters, useFilters, useSelection } from './filters.ts';
import { FilterBar } from './list/filter-bar.tsx';
import { JobList } from './list/job-list.tsx';
import { isOpenStatus, statusWord } from './list/job-status.tsx';
import { MOST_PICKED, type Selection, writeSelection } from './list/selection.ts';
import { useJobList } from './list/use-job-list.ts';
import { Tabs, tabNamed } from './tabs.tsx';
import { useRights } from './use-rights.ts';

/** All jobs, and what is to be seen of those that are chosen. */
export function JobsPage() {
  const filters = useFilters();
  const selection = useSelection();
  const [layout] = useParameter('list');
  const [tab] = useParameter('tab');
  const list = useJobList(filters);
  const { isLive } = theSource();
  const { limit: _, ...asked } = filters;
  const counts = useDocument(
    isLive ? documentRef<JobCounts>(['jobs', 'counts'], { query: { ...asked }, topic: 'jobs' }) : undefined,
  );
  const rights = useRights();
  const [tooMany, setTooMany] = useState(false);
  const chosen = useChosen(selection, list.jobs);
  const onSelect = (next: Selection | undefined) => {
    setTooMany(next === undefined);
    if (next !== undefined) setParameters({ jobs: writeSelection(next) });
  };
  useSelectKeys(onSelect);
  const onStar = async (job: ListedJob) => {
    await changeJobs([job], { action: job.annotations['star'] === true ? 'unstar' : 'star' }, () => {});
    list.refresh();
  };
  const isFiltered = Object.keys(asked).length > 0;
  const isRefused = list.problem?.status === 400;
  const hasChosen = selection === 'all' || selection.length > 0;
  const query = new URLSearchParams(Object.entries(asked)).toString();
  return (
    <PageFrame
      title="Jobs"
      lead={leadText(list, counts.value, filters)}
      json={query === '' ? 'jobs' : `jobs?${query}`}
      csv={query === '' ? 'jobs.csv' : `jobs.csv?${query}`}
    >
      {list.problem?.status === 404 ? (
        <Empty>
          This server shows no jobs. What keeps it from that is in the terminal of “nightmark serve”: the
          queue cannot be opened, or the definition of the home cannot be read.
        </Empty>
      ) : (
        <>
          {isLive && (isFiltered || list.jobs.length > 0) && (
            <FilterBar
              {...{ filters, counts: counts.value, isFlat: layout === 'flat' }}
              projects={projectsOf(list.jobs)}
              problem={isRefused ? list.problem : undefined}
            />
          )}
          {list.problem && !isRefused && <Problem problem={list.problem} />}
          {tooMany && (
            <p class="problem" role="alert">
              At most {MOST_PICKED} jobs are selected one by one. Search for those you want, and select all
              that are found (Ctrl-A).
            </p>
          )}
          <div class={`jobs-layout${hasChosen ? ' split' : ''}`}>
            <div class="jobs-side">
              {list.jobs.length > 0 ? (
                <JobList
                  {...{ list, selection, onSelect, isFlat: layout === 'flat' }}
                  onStar={rights?.canWrite ? onStar : undefined}
                />
              ) : (
                !list.problem && (list.isLoading ? <Loading /> : <NoJob isFiltered={isFiltered} />)
              )}
            </div>
            {hasChosen && (
              <div class="jobs-view">
                <div class="head">
                  <p>
                    <strong>
                      {selectedText(
                        selection,
                        chosen.length,
                        Math.min(counts.value?.total ?? chosen.length, filters.limit ?? Infinity),
                      )}
                    </strong>{' '}
                    <button type="button" class="small" onClick={() => onSelect([])}>
                      select none
                    </button>
                  </p>
                  <ActionBar
                    {...{ jobs: chosen, rights, isOpen: chosen.some(({ status }) => isOpenStatus(status)) }}
                    isStarred={
                      chosen.length > 0 && chosen.every(({ annotations }) => annotations['star'] === true)
                    }
                    onDone={(action, done) => {
                      const gone = done.filter(({ problem }) => problem === undefined).map(({ id }) => id);
                      if (action === 'delete' && selection !== 'all')
                        onSelect(selection.filter((id) => !gone.includes(id)));
                      list.refresh();
                    }}
                  />
                </div>
                <Tabs tab={tabNamed(tab)} {...{ selection, filters, jobs: chosen }} />
              </div>
            )}
          </div>
        </>
      )}
    </PageFrame>
  );
}

function NoJob({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <p class="calm">
        No job matches.{' '}
        <button
          type="button"
          class="small"
          onClick={() => setParameters({ search: undefined, status: undefined, project: undefined })}
        >
          show all
        </button>
      </p>
    );
  return (
    <Empty command="nightmark job submit -- python3 train.py">
      No job yet. The first one is submitted so, and run by “nightmark job work”:
    </Empty>
  );
}

/** Jobs of a link may be older than what is listed: those are fetched by their ids. */
function useChosen(selection: Selection, listed: readonly ListedJob[]): readonly ListedJob[] {
  const byId = useMemo(() => new Map(listed.map((job) => [job.id, job])), [listed]);
  const unlisted = selection === 'all' ? [] : selection.filter((id) => !byId.has(id));
  const ref = documentRef<JobListDocument>(['jobs'], { query: { id: unlisted }, topic: 'jobs' });
  const found = useDocument(unlisted.length > 0 ? ref : undefined).value?.jobs ?? [];
  if (selection === 'all') return listed;
  return selection.flatMap((id) => byId.get(id) ?? found.find((job) => job.id === id) ?? []);
}

/** Ctrl-A (or Cmd) takes all that are found, with Shift none. Where one writes it stays what it is. */
function useSelectKeys(onSelect: (selection: Selection) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isWriting =
        event.target instanceof Element &&
        event.target.closest('input:not([type=checkbox]), textarea, select, dialog');
      if (isWriting || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'a') return;
      event.preventDefault();
      onSelect(event.shiftKey ? [] : 'all');
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

function projectsOf(jobs: readonly ListedJob[]): readonly string[] {
  return [...new Set(jobs.map(({ project }) => project))].sort();
}

const TOLD_FIRST = [
  'FAILED',
  'UNRESPONSIVE',
  'RUNNING',
  'SCHEDULED',
  'CREATED',
  'FINISHED',
  'CANCELED',
] as const;

/** The answer: how many, and how they are. */
function leadText(
  { jobs, nextBefore, isLoading }: ReturnType<typeof useJobList>,
  counts: JobCounts | undefined,
  { search, status, limit }: Filters,
): string {
  if (isLoading && jobs.length === 0) return '…';
  const total = counts?.total ?? jobs.length;
  const isOpen = counts === undefined && nextBefore !== undefined;
  const states = search === undefined && status === undefined ? (counts?.statuses ?? {}) : {};
  const words = TOLD_FIRST.flatMap((one) =>
    states[one] === undefined ? [] : [`${formatNumber(states[one] ?? 0)} ${statusWord(one)}`],
  );
  const cut = limit !== undefined && total > limit ? `, of which the newest ${limit} are listed` : '';
  return `${counted(total, 'job')}${isOpen ? ' and older ones' : ''}${words.length > 0 ? `: ${words.join(', ')}` : ''}${cut}`;
}

function selectedText(selection: Selection, chosen: number, total: number): string {
  if (selection !== 'all') return `${selection.length} selected`;
  return `All ${formatNumber(total)} selected${total > chosen ? `, ${formatNumber(chosen)} of them listed so far` : ''}`;
}
