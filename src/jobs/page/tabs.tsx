import { currentAddress } from '../../platform/page/router/address.ts';
import { Link } from '../../platform/page/router/link.tsx';
import type { ListedJob } from '../core/job-documents.ts';
import { CodeTab, ConfigTab } from './config/config-tab.tsx';
import type { Filters } from './filters.ts';
import type { Selection } from './list/selection.ts';
import { LogsTab } from './logs/logs-tab.tsx';
import { FilesTab } from './more/files-tab.tsx';
import { ImagesTab } from './more/images-tab.tsx';
import { SeriesTab } from './series/series-tab.tsx';

export interface TabProps {
  readonly selection: Selection;
  readonly filters: Filters;
  /** Of the chosen ones those that are listed, or were found by their ids. */
  readonly jobs: readonly ListedJob[];
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

export function tabNamed(text: string | undefined): TabName {
  return text !== undefined && Object.hasOwn(TABS, text) ? (text as TabName) : 'config';
}

/** What is to be seen of the chosen jobs. Each view is an address of its own. */
export function Tabs({ tab, ...props }: TabProps & { readonly tab: TabName }) {
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
