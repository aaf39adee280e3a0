import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import type { HomeView } from '../../app/home/home-view.ts';
import { Attention } from './attention.tsx';
import { Deadlines } from './deadlines.tsx';
import { EmptyHome } from './empty-home.tsx';
import { Headline, Lead } from './headline.tsx';
import { NightStrip } from './night-strip.tsx';
import { TaskTable } from './task-table.tsx';
import { ValueTable } from './value-table.tsx';

const HOME = documentRef<HomeView>(['home'], { topic: 'runs' });

/** The answer in a sentence, what needs attention, then everything: results before any choice. */
export function HomePage() {
  const loaded = useDocument(HOME);
  return (
    <Show loaded={loaded} height={600}>
      {(view) =>
        view.nights.length === 0 ? (
          <EmptyHome view={view} />
        ) : (
          <PageFrame
            title={view.project}
            heading={<Headline view={view} />}
            lead={<Lead view={view} />}
            json="home"
            csv="home.csv"
          >
            <NightStrip view={view} />
            <Deadlines plans={view.plans} />
            <Attention view={view} />
            <h2>All experiments</h2>
            <ValueTable view={view} />
            {view.leftOut > 0 && (
              <p class="quiet">
                {counted(view.leftOut, 'more experiment')} in <a href="/api/experiments">the data</a>.
              </p>
            )}
            {view.subsystems.length > 0 && (
              <>
                <h2>Subsystems</h2>
                <TaskTable tasks={view.subsystems} />
              </>
            )}
          </PageFrame>
        )
      }
    </Show>
  );
}
