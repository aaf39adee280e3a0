import { useEffect, useRef, useState } from 'preact/hooks';
import { documentRef, SourceProblem, theSource } from '../../../platform/page/data/source.ts';
import type { JobLogEntry } from '../../core/job.ts';
import type { LogPage } from '../../core/job-queue.ts';

export interface FollowedLog {
  readonly entries: readonly JobLogEntry[];
  readonly leftOut: number;
  readonly isLoading: boolean;
  readonly problem?: SourceProblem;
}

/** A page of a running job requests so often what it printed since. */
const LOOK_MS = 1_500;
/** More lines than that make a browser slow; all of them are in the files of the job. */
const MOST_KEPT = 20_000;

/** The last lines of a job, and what it prints while it runs. */
export function useLog(
  id: string,
  { isOpen, tail }: { readonly isOpen: boolean; readonly tail: number },
): FollowedLog {
  const [log, setLog] = useState<FollowedLog>({ entries: [], leftOut: 0, isLoading: true });
  const open = useRef(isOpen);
  open.current = isOpen;
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let next: string | undefined;
    const look = async () => {
      const wasOpen = open.current;
      const query = next === undefined ? { tail } : { after: next, limit: 5_000 };
      try {
        const path = documentRef<LogPage>(['jobs', id, 'logs'], { query }).path;
        const page = (await theSource().json(path, control.signal)) as LogPage;
        const isFirst = next === undefined;
        next = page.next;
        if (isFirst || page.entries.length > 0)
          setLog((before) => ({
            entries: [...(isFirst ? [] : before.entries), ...page.entries].slice(-MOST_KEPT),
            leftOut: page.leftOut,
            isLoading: false,
          }));
        // One more request after the end: what was printed last may come in late.
        if (!wasOpen && !isFirst && page.entries.length === 0) return;
      } catch (error) {
        if (control.signal.aborted) return;
        const problem = error instanceof SourceProblem ? error : new SourceProblem(String(error));
        setLog((before) => ({ ...before, problem, isLoading: false }));
      }
      if (theSource().isLive) timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [id, tail, isOpen]);
  return log;
}
