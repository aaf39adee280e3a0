import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import type { JobCounts, JobList } from '../../core/job-documents.ts';
import type { Selection } from './job-selection.ts';
import { statusText } from './job-status.tsx';
import type { Filters } from './use-selection.ts';

const STATUS_ORDER = [
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
  const words = STATUS_ORDER.flatMap((one) =>
    states[one] === undefined ? [] : [`${formatNumber(states[one] ?? 0)} ${statusText(one)}`],
  );
  const cut = limit !== undefined && total > limit ? `, of which the newest ${limit} are listed` : '';
  return `${counted(total, 'job')}${isOpen ? ' and older ones' : ''}${words.length > 0 ? `: ${words.join(', ')}` : ''}${cut}`;
}

export function selectedText(selection: Selection, chosen: number, total: number): string {
  if (selection !== 'all') return `${selection.length} selected`;
  return `All ${formatNumber(total)} selected${total > chosen ? `, ${formatNumber(chosen)} of them listed so far` : ''}`;
}
