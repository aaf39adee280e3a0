import { useMemo } from 'preact/hooks';
import type { DuetRunDocument, DuetTelemetrySeries } from '../../../app/duet/read-duet-telemetry.ts';
import { counted } from '../../../core/text/numbers.ts';
import { HistoryChart } from '../../charts/history-chart.tsx';
import { useParameter } from '../../router/use-address.ts';

/** Charts that are drawn before somebody asks for all. */
const FIRST = 4;

/** What the machine did while the run was measured: what disturbs shows here. */
export function Telemetry({ run: { telemetry } }: { readonly run: DuetRunDocument }) {
  const [all, setAll] = useParameter('telemetry');
  // A value that never moved disturbed nobody.
  const moving = telemetry.series.filter(({ values }) => values.some((value) => value !== values[0]));
  const still = telemetry.series.length - moving.length;
  if (telemetry.series.length === 0) return null;
  const shown = all === 'all' ? moving : moving.slice(0, FIRST);
  return (
    <section aria-labelledby="telemetry">
      <h3 id="telemetry">The machine meanwhile</h3>
      <div class="charts">
        {shown.map((series) => (
          <Chart key={series.name} series={series} />
        ))}
      </div>
      <p class="quiet">
        {still > 0 && `${counted(still, 'reading')} did not move. `}
        {moving.length > shown.length && (
          <button type="button" class="small" onClick={() => setAll('all')}>
            show {counted(moving.length - shown.length, 'more reading')}
          </button>
        )}
      </p>
      {telemetry.notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </section>
  );
}

function Chart({ series: { name, unit, times, values } }: { readonly series: DuetTelemetrySeries }) {
  const lines = useMemo(() => [{ name, times, values }], [name, times, values]);
  return (
    <figure>
      <figcaption>{name}</figcaption>
      <HistoryChart series={lines} unit={unit} height={130} />
    </figure>
  );
}
