import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { TelemetryUnderTimelineProps } from './telemetry-under-timeline.tsx';

/**
 * Telemetry under its timeline, fetched only where somebody sees it. All pages fetch it this way: what one page imports
 * at once and another later needs the bundler's own lines, which lie in the chunk of ECharts and would draw that in.
 */
export function LateTelemetry(props: TelemetryUnderTimelineProps) {
  const [found, setFound] = useState<{ readonly Charts: ComponentType<TelemetryUnderTimelineProps> }>();
  useLayoutEffect(() => {
    let isWanted = true;
    void import('./telemetry-under-timeline.tsx').then(
      ({ TelemetryUnderTimeline: Charts }) => isWanted && setFound({ Charts }),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return found ? <found.Charts {...props} /> : <div aria-busy="true" />;
}
