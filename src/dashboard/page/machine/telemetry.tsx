import { useMemo } from 'preact/hooks';
import { Readings } from '../../../charts/page/readings.tsx';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { SensorView, TelemetryView } from '../../app/machines/machine-view.ts';

/** What was recorded beside the tasks of the last run that has telemetry: what moves most first. */
export function Telemetry({ id }: { readonly id: string }) {
  const loaded = useDocument(documentRef<TelemetryView>(['machines', id, 'telemetry'], { topic: 'runs' }));
  return (
    <>
      <h2>Telemetry</h2>
      <Show loaded={loaded} height={180}>
        {({ runId, sensors, hidden }) =>
          sensors.length === 0 ? (
            <p class="calm">
              None of its last runs recorded any. <code>telemetry</code> in the configuration switches it on.
            </p>
          ) : (
            <>
              <p class="quiet">
                Of run <Link to={`/runs/${encodeURIComponent(runId)}`}>{runId}</Link>, what moved most first
                {hidden > 0 && `; ${counted(hidden, 'more sensor')} in the data of the run`}.
              </p>
              <Sensors sensors={sensors} />
            </>
          )
        }
      </Show>
    </>
  );
}

function Sensors({ sensors }: { readonly sensors: readonly SensorView[] }) {
  const readings = useMemo(
    () => sensors.map((sensor) => ({ ...sensor, name: nameOf(sensor), words: wordsOf(sensor) })),
    [sensors],
  );
  return <Readings readings={readings} first={6} />;
}

function nameOf({ name, tags }: SensorView): string {
  return [name, ...Object.values(tags)].join(' ');
}

function wordsOf({ points, median, low, high, unit }: SensorView): string {
  const [middle, from, to] = [median, low, high].map((value) => formatNumber(value, unit));
  return `${counted(points, 'reading')}, median ${middle}, from ${from} to ${to}`;
}
