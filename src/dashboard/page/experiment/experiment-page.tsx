import type { Summary } from '../../../home/app/result-files.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { ChatText } from '../../../platform/page/parts/chat-text.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { ExperimentView } from '../../app/read-experiment.ts';
import { CompareChoice } from './compare-choice.tsx';
import { HistorySection } from './history-section.tsx';
import { Pictures } from './pictures.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { StageSection } from './stage-section.tsx';
import { Standing, StandingDetails } from './standing.tsx';

/** How it stands, every value with its history, what its scripts say, its stages, its runs. */
export function ExperimentPage({ parameters }: { readonly parameters: RouteParameters }) {
  const name = parameters['name'] ?? '';
  const loaded = useDocument(documentRef<ExperimentView>(['experiments', name], { topic: 'runs' }));
  const path = `experiments/${encodeURIComponent(name)}`;
  const { value: view } = loaded;
  const { title } = view ?? {};
  const heading = (
    <>
      {visible(name)} {title !== undefined && title !== name && <span class="quiet">{visible(title)}</span>}
    </>
  );
  return (
    <PageFrame
      title={visible(name)}
      heading={heading}
      {...(view && { lead: <Standing view={view} />, json: path, csv: `${path}/history.csv` })}
    >
      <Show loaded={loaded}>
        {(shown) => (
          <>
            <StandingDetails view={shown} />
            <SummaryWords summary={shown.summary} />
            <HistorySection name={name} />
            <CompareChoice recent={shown.recent} />
            <Pictures view={shown} />
            <StageSection view={shown} />
            <RecentRuns view={shown} />
          </>
        )}
      </Show>
    </PageFrame>
  );
}

function SummaryWords({ summary }: { readonly summary: Summary }) {
  if (summary.state === 'missing') return null;
  if (summary.state === 'unusable')
    return <p class="quiet">Its summary.json cannot be shown: {summary.reason}.</p>;
  return (
    <section>
      <h2>{summary.title ? <ChatText text={summary.title} /> : 'Summary'}</h2>
      <p class="summary">
        <ChatText text={summary.text} />
      </p>
    </section>
  );
}
