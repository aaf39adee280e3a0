import { useEffect, useMemo } from 'preact/hooks';
import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import type { JobList, ListedJob } from '../../core/job-documents.ts';
import type { Selection } from './selection.ts';

/** Jobs of a link may be older than what is listed: those are fetched by their ids. */
export function useChosen(selection: Selection, listed: readonly ListedJob[]): readonly ListedJob[] {
  const byId = useMemo(() => new Map(listed.map((job) => [job.id, job])), [listed]);
  const unlisted = selection === 'all' ? [] : selection.filter((id) => !byId.has(id));
  const ref = documentRef<JobList>(['jobs'], { query: { id: unlisted }, topic: 'jobs' });
  const found = useDocument(unlisted.length > 0 ? ref : undefined).value?.jobs ?? [];
  if (selection === 'all') return listed;
  return selection.flatMap((id) => byId.get(id) ?? found.find((job) => job.id === id) ?? []);
}

/** Ctrl-A (or Cmd) takes all that are found, with Shift none. Where one writes it stays what it is. */
export function useSelectKeys(onSelect: (selection: Selection) => void): void {
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
