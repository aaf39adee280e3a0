import { useEffect, useMemo } from 'preact/hooks';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { useAddress, useParameter } from '../../../platform/page/router/address.ts';
import type { JobList, ListedJob } from '../../core/job-documents.ts';
import { readSelection, type Selection } from './job-selection.ts';

/** What the list is of, as the address has it. */
export interface Filters {
  readonly search?: string;
  readonly status?: string;
  readonly project?: string;
  /** Most that are listed; absent: as far as one scrolls. */
  readonly limit?: number;
}

const NAMES = ['search', 'status', 'project'] as const;

export function useFilters(): Filters {
  const { query } = useAddress();
  const given = NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)] as const] : []));
  const limit = Number(query.get('limit') ?? '');
  return { ...Object.fromEntries(given), ...(Number.isInteger(limit) && limit > 0 && { limit }) };
}

export function useSelection(): Selection {
  return readSelection(useAddress().query.get('jobs') ?? undefined);
}

/** Parameters of the API that choose the same jobs; undefined: none is chosen. */
export function queryOf(
  selection: Selection,
  { limit, ...filters }: Filters,
  most: number,
): Readonly<Record<string, string | number | readonly string[]>> | undefined {
  if (selection === 'all') return { ...filters, limit: Math.min(limit ?? most, most) };
  return selection.length === 0 ? undefined : { id: selection };
}

/** Jobs of a link may be older than what is listed: those are fetched by their ids. */
export function useChosen(selection: Selection, listed: readonly ListedJob[]): readonly ListedJob[] {
  const byId = useMemo(() => new Map(listed.map((job) => [job.id, job])), [listed]);
  const unlisted = selection === 'all' ? [] : selection.filter((id) => !byId.has(id));
  const ref = documentRef<JobList>(['jobs'], { query: { id: unlisted }, topic: 'jobs' });
  const found = useDocument(unlisted.length > 0 ? ref : undefined).value?.jobs ?? [];
  if (selection === 'all') return listed;
  return selection.flatMap((id) => byId.get(id) ?? found.find((job) => job.id === id) ?? []);
}

/** Ctrl-A (or Cmd-A) selects all found jobs, with Shift none; not in text fields. */
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

/** How many jobs are shown at once, in the address, and how to see more of them. */
export function useMost(atOnce: number): readonly [number, () => void] {
  const [text, setText] = useParameter('most');
  const most = Math.max(atOnce, Math.floor(Number(text)) || 0);
  return [most, () => setText(String(most + atOnce))];
}

export interface TabProps {
  readonly selection: Selection;
  readonly filters: Filters;
  /** Of the chosen ones those that are listed, or were found by their ids. */
  readonly jobs: readonly ListedJob[];
}
