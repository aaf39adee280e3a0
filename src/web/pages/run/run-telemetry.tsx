import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TelemetryView } from '../../../app/read-telemetry.ts';
import { documentRef } from '../../data/document.ts';
import { useDocument } from '../../data/use-document.ts';
import type { TelemetryUnderTimelineProps } from './telemetry-under-timeline.tsx';

/** What the machine did during the whole run, below the timeline and on its axis of time; nothing where it was not recorded. */
export function RunTelemetry({ id }: { readonly id: string }) {
  const { value } = useDocument(documentRef<TelemetryView>(['runs', id, 'telemetry'], { topic: 'runs' }));
  const isThere = value !== undefined && value.series.length > 0;
  const Charts = useCharts(isThere);
  if (!isThere || !Charts) return null;
  return (
    <section aria-labelledby="telemetry">
      <h2 id="telemetry">What the machine did</h2>
      <div class="run-telemetry">
        <Charts stages={[]} telemetry={value} />
      </div>
    </section>
  );
}

/** Charts are fetched only where there is something to draw. */
function useCharts(isWanted: boolean): ComponentType<TelemetryUnderTimelineProps> | undefined {
  const [found, setFound] = useState<{ readonly Charts: ComponentType<TelemetryUnderTimelineProps> }>();
  useEffect(() => {
    if (!isWanted) return;
    void import('./telemetry-under-timeline.tsx').then(({ TelemetryUnderTimeline: Charts }) =>
      setFound({ Charts }),
    );
  }, [isWanted]);
  return found?.Charts;
}
