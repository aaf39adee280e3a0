import { formatNumber } from '../../platform/core/text/numbers.ts';
import { currentAddress, useParameter } from '../../platform/page/router/address.ts';
import { Link } from '../../platform/page/router/link.tsx';
import type { JobRights } from '../core/job-documents.ts';
import { ActionBar, type Done, type JobAction } from './job-actions.tsx';
import type { Selection } from './list/job-selection.ts';
import { isOpenStatus } from './list/job-status.tsx';
import type { TabProps } from './list/use-selection.ts';
import { SeriesTab } from './series/series-grid.tsx';
import { CodeTab, ConfigTab } from './tabs/config-tab.tsx';
import { FilesTab, ImagesTab } from './tabs/files-tab.tsx';
import { LogsTab } from './tabs/logs-tab.tsx';

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

const TABS = {
  config: ['Configuration', ConfigTab],
  series: ['Series', SeriesTab],
  logs: ['Logs', LogsTab],
  images: ['Images', ImagesTab],
  files: ['Files', FilesTab],
  code: ['Code and environment', CodeTab],
} as const;

export type TabName = keyof typeof TABS;

function tabNamed(text: string | undefined): TabName {
  return text !== undefined && Object.hasOwn(TABS, text) ? (text as TabName) : 'config';
}

/** What is to be seen of the chosen jobs. Each view is an address of its own. */
function Tabs({ tab, ...props }: TabProps & { readonly tab: TabName }) {
  const [title, View] = TABS[tab];
  return (
    <>
      <nav class="tabs" aria-label="What to see of the selected jobs">
        {Object.entries(TABS).map(([name, [word]]) => (
          <Link key={name} to={addressOf(name)} {...(name === tab && { 'aria-current': 'page' as const })}>
            {word}
          </Link>
        ))}
      </nav>
      <section aria-label={title}>
        <View {...props} />
      </section>
    </>
  );
}

function addressOf(tab: string): string {
  const { path, query } = currentAddress();
  query.set('tab', tab);
  return `${path}?${query}`;
}

function selectedText(selection: Selection, chosen: number, total: number): string {
  if (selection !== 'all') return `${selection.length} selected`;
  return `All ${formatNumber(total)} selected${total > chosen ? `, ${formatNumber(chosen)} of them listed so far` : ''}`;
}
