import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { RunView } from '../../app/read-run.ts';
import { Environment } from './environment.tsx';
import { RunFileList } from './run-file-list.tsx';
import { RunLead } from './run-lead.tsx';
import { RunTelemetry } from './run-telemetry.tsx';
import { runWords } from './run-words.ts';
import { SinceBeforeSection } from './since-before.tsx';
import { StageList } from './stage-list.tsx';
import { TaskList } from './task-list.tsx';
import { Timeline } from './timeline.tsx';

/** One run: how it went, every stage of every task in time, what it left, and what it needs to be repeated. */
export function RunPage({ parameters: { id = '' } }: { readonly parameters: RouteParameters }) {
  const loaded = useDocument(documentRef<RunView>(['runs', id], { topic: 'runs' }));
  const path = `runs/${encodeURIComponent(id)}`;
  return (
    <Show loaded={loaded} height={600}>
      {(view) => (
        <PageFrame
          title={`${view.run.kind} ${view.run.label}`}
          heading={runWords(view)}
          lead={<RunLead view={view} />}
          json={path}
          csv={`${path}/stages.csv`}
        >
          <div class="run-page">
            <Warnings texts={view.run.warnings} />
            <Timeline view={view} />
            <RunTelemetry view={view} />
            <TaskList view={view} />
            <StageList view={view} />
            <SinceBeforeSection view={view} />
            <RunFileList id={id} />
            <Environment view={view} />
          </div>
        </PageFrame>
      )}
    </Show>
  );
}

function Warnings({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {texts.map((text) => (
          <li key={text} class="message">
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
