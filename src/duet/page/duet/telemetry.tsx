import { Readings } from '../../../charts/page/readings.tsx';
import type { DuetRunDocument } from '../../app/read-duet-group.ts';

/** What the machine did while the run was measured: what disturbs shows here. */
export function Telemetry({ run: { telemetry } }: { readonly run: DuetRunDocument }) {
  if (telemetry.series.length === 0) return null;
  return (
    <section aria-labelledby="telemetry">
      <h3 id="telemetry">The machine meanwhile</h3>
      <Readings readings={telemetry.series} first={4} />
      {telemetry.notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </section>
  );
}
