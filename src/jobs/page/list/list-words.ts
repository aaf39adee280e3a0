import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import type { JobCounts, JobList } from '../../core/job-documents.ts';
import type { Filters } from '../filters.ts';
import { statusWord } from './job-status.tsx';
import type { Selection } from './selection.ts';

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
export function leadText(
  { jobs, nextBefore, isLoading }: JobList & { readonly isLoading: boolean },
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

export function selectedText(selection: Selection, chosen: number, total: number): string {
  if (selection !== 'all') return `${selection.length} selected`;
  return `All ${formatNumber(total)} selected${total > chosen ? `, ${formatNumber(chosen)} of them listed so far` : ''}`;
}
