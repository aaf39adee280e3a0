import { useMemo } from 'preact/hooks';
import type { SensorView, TelemetryView } from '../../../app/machines/machine-view.ts';
import { counted, formatNumber } from '../../../core/text/numbers.ts';
import { HistoryChart } from '../../charts/history-chart.tsx';
import { documentRef } from '../../data/document.ts';
import { useDocument } from '../../data/use-document.ts';
import { Show } from '../../parts/show.tsx';
import { Link } from '../../router/link.tsx';

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
              <div class="charts telemetry">
                {sensors.map((sensor) => (
                  <Sensor key={nameOf(sensor)} sensor={sensor} />
                ))}
              </div>
            </>
          )
        }
      </Show>
    </>
  );
}

function Sensor({ sensor }: { readonly sensor: SensorView }) {
  const { times, values, unit, low, high, median, points } = sensor;
  const name = nameOf(sensor);
  const series = useMemo(() => [{ name, times, values }], [name, times, values]);
  return (
    <figure>
      <figcaption>
        <h3>{name}</h3>
      </figcaption>
      <HistoryChart series={series} unit={unit} height={130} />
      <p class="quiet">
        {counted(points, 'reading')}, median {formatNumber(median, unit)}, from {formatNumber(low, unit)} to{' '}
        {formatNumber(high, unit)}
      </p>
    </figure>
  );
}

function nameOf({ name, tags }: SensorView): string {
  return [name, ...Object.values(tags)].join(' ');
}
