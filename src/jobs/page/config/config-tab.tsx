import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/show.tsx';
import type { ComparedDocument } from '../../core/compare-jobs.ts';
import { queryOf } from '../filters.ts';
import { CodeFiles } from '../more/code-files.tsx';
import type { TabProps } from '../tabs.tsx';
import { ComparedTable } from './compared-table.tsx';

const MOST = 200;
const TITLES = {
  configuration: 'Configuration',
  code: 'Code',
  environment: 'Environment',
  results: 'Results',
} as const;

type Title = keyof typeof TITLES;

/** What the jobs were told. */
export function ConfigTab(props: TabProps) {
  return <Sections {...props} titles={['configuration']} />;
}

/** What ran, where, and what came of it: as `nightmark job diff` says it. */
export function CodeTab(props: TabProps) {
  return (
    <>
      <CodeFiles jobs={props.jobs} />
      <Sections {...props} titles={['code', 'environment', 'results']} />
    </>
  );
}

function Sections({ selection, filters, titles }: TabProps & { readonly titles: readonly Title[] }) {
  const query = queryOf(selection, filters, MOST);
  const loaded = useDocument(
    query && documentRef<ComparedDocument>(['jobs', 'compare'], { query, topic: 'jobs' }),
  );
  return (
    <Show loaded={loaded}>
      {({ jobs, sections, isCut }) => (
        <>
          {isCut && (
            <p class="quiet">
              The first {jobs.length} of those that were found: more cannot be read side by side.
            </p>
          )}
          {sections
            .filter(({ title }) => titles.includes(title))
            .map(({ title, rows }) => (
              <section key={title}>
                <h2 class={titles.length === 1 ? 'hidden' : ''}>{TITLES[title]}</h2>
                <ComparedTable caption={TITLES[title]} jobs={jobs} rows={rows} />
              </section>
            ))}
        </>
      )}
    </Show>
  );
}
