import { useEffect, useRef, useState } from 'preact/hooks';
import { onUpdate } from '../../../platform/page/data/live-updates.ts';
import { documentRef, SourceProblem, theSource } from '../../../platform/page/data/source.ts';
import type { JobList } from '../../core/job-documents.ts';
import { appendPage, mergeNewest, replaceJobs } from './listed-jobs.ts';
import type { Filters } from './use-selection.ts';

export interface ListedJobs extends JobList {
  readonly isLoading: boolean;
  readonly problem?: SourceProblem;
}

const PAGE = 500;
/** The newest jobs are reloaded after a change; older ones only while they are visible. */
const MAX_RELOADED = 1_000;

/** Jobs page by page as one scrolls, and as they are now when there is news. */
export function useJobList(filters: Filters): ListedJobs & {
  readonly more: () => void;
  readonly refresh: () => void;
  /** Sets the visible jobs. */
  readonly see: (ids: readonly string[]) => void;
} {
  const { limit: most = Number.POSITIVE_INFINITY, ...search } = filters;
  const key = JSON.stringify([search, most]);
  const [list, setList] = useState<ListedJobs>({ jobs: [], isLoading: true });
  const latest = useRef(list);
  latest.current = list;
  const seen = useRef<readonly string[]>([]);
  const busy = useRef<AbortController>();
  const hasNews = useRef(false);
  /** One request at a time: what comes later counts, and nothing of another search. */
  const fetching = async (work: (signal: AbortSignal) => Promise<JobList>) => {
    busy.current?.abort();
    const control = new AbortController();
    busy.current = control;
    setList((before) => ({ ...before, isLoading: true }));
    try {
      const next = await work(control.signal);
      if (!control.signal.aborted) setList({ ...cut(next, most), isLoading: false });
    } catch (error) {
      if (control.signal.aborted) return;
      const problem = error instanceof SourceProblem ? error : new SourceProblem(String(error));
      setList((before) => ({ ...before, problem, isLoading: false }));
    }
    if (busy.current !== control) return;
    busy.current = undefined;
    if (!hasNews.current) return;
    hasNews.current = false;
    void refresh();
  };
  const page = async (query: Record<string, string | number>, signal: AbortSignal) => {
    const { path } = documentRef<JobList>(['jobs'], { query: { ...search, ...query } });
    return (await theSource().json(path, signal)) as JobList;
  };
  const refresh = () =>
    fetching(async (signal) => {
      const before = latest.current;
      const limit = Math.min(MAX_RELOADED, most, Math.max(100, before.jobs.length));
      const merged = mergeNewest(before, await page(limit === 100 ? {} : { limit }, signal));
      const far = seen.current.filter((id) => merged.jobs.findIndex((job) => job.id === id) >= limit);
      if (far.length === 0) return merged;
      const again = documentRef(['jobs'], { query: { id: far } }).path;
      return replaceJobs(merged, far, ((await theSource().json(again, signal)) as JobList).jobs);
    });
  useEffect(() => {
    setList({ jobs: [], isLoading: true });
    latest.current = { jobs: [], isLoading: true };
    void refresh();
    // A running request is not aborted: changes may come faster than answers.
    const stop = onUpdate('jobs', () => {
      if (busy.current) hasNews.current = true;
      else void refresh();
    });
    return () => {
      stop();
      busy.current?.abort();
    };
  }, [key]);
  const more = () => {
    const { nextBefore, jobs } = latest.current;
    if (nextBefore === undefined || busy.current !== undefined || jobs.length >= most) return;
    void fetching(async (signal) =>
      appendPage(latest.current, await page({ before: nextBefore, limit: PAGE }, signal)),
    );
  };
  return {
    ...list,
    ...{ more, refresh: () => void refresh() },
    see: (ids) => {
      seen.current = ids;
    },
  };
}

function cut({ jobs, nextBefore }: JobList, most: number): JobList {
  if (jobs.length < most) return { jobs, ...(nextBefore !== undefined && { nextBefore }) };
  return { jobs: jobs.slice(0, most) };
}
