import { useState } from 'preact/hooks';
import { counted, formatNumber } from '../../platform/core/text/numbers.ts';
import { compareNaturally } from '../../platform/core/text/text-order.ts';
import { documentRef, theSource } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Empty, Loading, PageFrame, Problem } from '../../platform/page/parts/page-frame.tsx';
import { setParameters, useParameter } from '../../platform/page/router/address.ts';
import type { JobCounts, ListedJob } from '../core/job-documents.ts';
import { ChosenJobs } from './chosen-jobs.tsx';
import { changeJobs, useRights } from './job-actions.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { JobList } from './list/job-list.tsx';
import { MOST_PICKED, type Selection, writeSelection } from './list/job-selection.ts';
import { statusText } from './list/job-status.tsx';
import { type ListedJobs, useJobList } from './list/use-job-list.ts';
import { type Filters, useChosen, useFilters, useSelection, useSelectKeys } from './list/use-selection.ts';

/** All jobs, and what is to be seen of those that are chosen. */
export function JobsPage() {
  const filters = useFilters();
  const selection = useSelection();
  const [layout] = useParameter('list');
  const list = useJobList(filters);
  const { isLive } = theSource();
  const { limit: _, ...search } = filters;
  const counts = useDocument(
    isLive ? documentRef<JobCounts>(['jobs', 'counts'], { query: { ...search }, topic: 'jobs' }) : undefined,
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
  const isFiltered = Object.keys(search).length > 0;
  const isRefused = list.problem?.status === 400;
  const hasChosen = selection === 'all' || selection.length > 0;
  const query = new URLSearchParams(Object.entries(search)).toString();
  return (
    <PageFrame
      title="Jobs"
      heading={leadText(list, counts.value, filters)}
      json={query === '' ? 'jobs' : `jobs?${query}`}
      csv={query === '' ? 'jobs.csv' : `jobs.csv?${query}`}
    >
      {list.problem?.status === 404 ? (
        <Empty>
          This server shows no jobs. The reason is in the terminal of “nightmark serve”: the queue cannot be
          opened, or the definition of the home cannot be read.
        </Empty>
      ) : (
        <>
          {isLive && (isFiltered || list.isLoading || list.jobs.length > 0) && (
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
              <ChosenJobs
                {...{ selection, filters, jobs: chosen, rights, onSelect }}
                found={counts.value?.total ?? chosen.length}
                refresh={list.refresh}
              />
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

function projectsOf(jobs: readonly ListedJob[]): readonly string[] {
  return [...new Set(jobs.map(({ project }) => project))].sort(compareNaturally);
}

/** The answer: how many, and how they are. */
function leadText(
  { jobs, nextBefore, isLoading }: ListedJobs,
  counts: JobCounts | undefined,
  { search, status, limit }: Filters,
): string {
  if (isLoading && jobs.length === 0) return '…';
  const total = counts?.total ?? jobs.length;
  const isOpen = counts === undefined && nextBefore !== undefined;
  const states = search === undefined && status === undefined ? (counts?.statuses ?? {}) : {};
  const parts = STATUS_ORDER.flatMap((one) =>
    states[one] === undefined ? [] : [`${formatNumber(states[one] ?? 0)} ${statusText(one)}`],
  );
  const cut = limit !== undefined && total > limit ? `, of which the newest ${limit} are listed` : '';
  return `${counted(total, 'job')}${isOpen ? ' and older ones' : ''}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}${cut}`;
}

const STATUS_ORDER = [
  'FAILED',
  'UNRESPONSIVE',
  'RUNNING',
  'SCHEDULED',
  'CREATED',
  'FINISHED',
  'CANCELED',
] as const;
