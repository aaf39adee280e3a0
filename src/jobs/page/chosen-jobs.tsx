import { useParameter } from '../../platform/page/router/address.ts';
import type { JobRights } from '../core/job-documents.ts';
import { ActionBar } from './actions/action-bar.tsx';
import type { Done, JobAction } from './actions/change-jobs.ts';
import { isOpenStatus } from './list/job-status.tsx';
import { selectedText } from './list/list-words.ts';
import type { Selection } from './list/selection.ts';
import { type TabProps, Tabs, tabNamed } from './tabs.tsx';

interface ChosenJobsProps extends TabProps {
  readonly rights: JobRights | undefined;
  /** How many the search finds. */
  readonly found: number;
  readonly onSelect: (selection: Selection) => void;
  readonly refresh: () => void;
}

/** How many are selected, what can be done to them, and what is to be seen of them. */
export function ChosenJobs({ rights, found, onSelect, refresh, ...props }: ChosenJobsProps) {
  const { selection, filters, jobs } = props;
  const [tab] = useParameter('tab');
  const onDone = (action: JobAction, done: readonly Done[]) => {
    const gone = done.filter(({ problem }) => problem === undefined).map(({ id }) => id);
    if (action === 'delete' && selection !== 'all') onSelect(selection.filter((id) => !gone.includes(id)));
    refresh();
  };
  const total = Math.min(found, filters.limit ?? Number.POSITIVE_INFINITY);
  return (
    <div class="jobs-view">
      <div class="head">
        <p>
          <strong>{selectedText(selection, jobs.length, total)}</strong>{' '}
          <button type="button" class="small" onClick={() => onSelect([])}>
            select none
          </button>
        </p>
        <ActionBar
          {...{ jobs, rights, onDone, isOpen: jobs.some(({ status }) => isOpenStatus(status)) }}
          isStarred={jobs.length > 0 && jobs.every(({ annotations }) => annotations['star'] === true)}
        />
      </div>
      <Tabs tab={tabNamed(tab)} {...props} />
    </div>
  );
}
