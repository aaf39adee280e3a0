import { useMemo } from 'preact/hooks';
import type { StageResult } from '../../../home/core/run.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { useZoom } from '../../../platform/page/router/address.ts';
import type { TelemetryView } from '../../app/read-telemetry.ts';
import { StageBars } from './stage-bars.tsx';
import { TelemetryChart } from './telemetry-chart.tsx';
import { groupTelemetry, spanOf } from './telemetry-groups.ts';

export interface TelemetryUnderTimelineProps {
  readonly stages: readonly StageResult[];
  readonly telemetry: TelemetryView;
  /** Parameter of the address that holds the stretch of time that is shown. */
  readonly zoomName?: string;
  /** The whole time, where it is more than that of the stages and readings. */
  readonly span?: readonly [number, number];
}

/** Stages as bars on an axis of time, and below them what the machine did, on the same axis. */
export function TelemetryUnderTimeline({
  stages,
  telemetry,
  zoomName = 'stretch',
  span: given,
}: TelemetryUnderTimelineProps) {
  const [zoom, setZoom] = useZoom(zoomName);
  const groups = useMemo(() => groupTelemetry(telemetry.series), [telemetry]);
  const whole = given ?? spanOf(stages, telemetry.series);
  const { disturbed } = telemetry;
  if (whole === undefined) return <p class="quiet">No stage has ended yet.</p>;
  const span = zoom ?? whole;
  return (
    <div class="under-timeline">
      <StageBars stages={stages} disturbed={disturbed} span={span} />
      {groups.length === 0 && (
        <p class="quiet">
          No telemetry was recorded: "telemetry" in the configuration of an experiment switches it on.
        </p>
      )}
      {disturbed.length > 0 && (
        <p class="small">
          <span class="disturbed-key" aria-hidden="true" />{' '}
          {counted(disturbed.length, 'disturbed stretch', 'disturbed stretches')}:{' '}
          {[...new Set(disturbed.map(({ reason }) => reason.replace(/, up to.*$/, '')))].join('; ')}.
        </p>
      )}
      {zoom && (
        <p>
          <button type="button" class="small" onClick={() => setZoom(undefined)}>
            Show the whole time
          </button>
        </p>
      )}
      {groups.map((group) => (
        <TelemetryChart key={group.name} group={group} span={span} disturbed={disturbed} onZoom={setZoom} />
      ))}
    </div>
  );
}
