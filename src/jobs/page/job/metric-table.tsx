import { counted } from '../../../platform/core/text/numbers.ts';
import { Fold } from '../../../platform/page/parts/fold.tsx';
import { Quantity } from '../../../platform/page/parts/quantity.tsx';
import { Scroll } from '../../../platform/page/parts/scroll.tsx';
import { metricName } from '../../core/compare-jobs.ts';
import type { JobMetric } from '../../core/job.ts';

/** The newest, smallest and largest value of each field of each metric, as the job told them. */
export function MetricTable({ metrics }: { readonly metrics: readonly JobMetric[] }) {
  const rows = metrics.flatMap((metric) =>
    Object.entries(metric.fields).map(([field, facts]) => ({
      ...facts,
      key: `${metric.id} ${field}`,
      name: metricName(metric),
      field,
    })),
  );
  return (
    <Fold name="metrics" summary={<>{counted(rows.length, 'value')}: newest, smallest, largest</>}>
      <Scroll label="Metrics">
        <table>
          <thead>
            <tr>
              <th scope="col">metric</th>
              <th scope="col">field</th>
              {['newest', 'smallest', 'largest', 'values'].map((word) => (
                <th key={word} scope="col" class="number">
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, field, last, min, max, count }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{field}</td>
                {[last, min, max, count].map((value, place) => (
                  <td key={place} class="number">
                    {typeof value === 'number' ? <Quantity value={value} /> : String(value ?? '')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Fold>
  );
}
