import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import type { RunView } from '../../app/runs/read-run.ts';
import type { TelemetryView } from '../../app/runs/run-telemetry.ts';
import type { TelemetryUnderTimelineProps } from './telemetry-under-timeline.tsx';
import { timelineOf } from './timeline-rows.ts';

/** What the machine did during the whole run, below the timeline and on its axis; nothing where it was not recorded. */
export function RunTelemetry({ view }: { readonly view: RunView }) {
  const { id } = view.run;
  const { value } = useDocument(documentRef<TelemetryView>(['runs', id, 'telemetry'], { topic: 'runs' }));
  const [shown] = useParameter('machine');
  const isOpen = shown === 'shown';
  if (value === undefined || value.series.length === 0) return null;
  const span = timelineOf(view, Date.now())?.span;
  const onToggle = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) =>
    open !== isOpen && setParameters({ machine: open ? 'shown' : undefined });
  const { disturbed } = value;
  return (
    <details open={isOpen} onToggle={onToggle}>
      <summary>
        What the machine did: {counted(value.series.length, 'reading')}
        {disturbed.length > 0 && `, ${counted(disturbed.length, 'disturbed period', 'disturbed periods')}`}
      </summary>
      {isOpen && (
        <div class="run-telemetry">
          <LateTelemetry stages={NO_STAGES} telemetry={value} {...(span && { span })} />
        </div>
      )}
    </details>
  );
}

/** They are in the timeline already. */
const NO_STAGES: TelemetryUnderTimelineProps['stages'] = [];

/**
 * Telemetry under its timeline, loaded only where it is visible. All pages load it this way: what one page imports
 * statically and another dynamically needs the bundler's own lines, which lie in the chunk of ECharts and would draw that in.
 */
export function LateTelemetry(props: TelemetryUnderTimelineProps) {
  const [found, setFound] = useState<{ readonly Charts: ComponentType<TelemetryUnderTimelineProps> }>();
  useLayoutEffect(() => {
    let isMounted = true;
    void import('./telemetry-under-timeline.tsx').then(
      ({ TelemetryUnderTimeline: Charts }) => isMounted && setFound({ Charts }),
    );
    return () => {
      isMounted = false;
    };
  }, []);
  return found ? <found.Charts {...props} /> : <div aria-busy="true" />;
}
