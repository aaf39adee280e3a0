import { counted, formatChange } from '../../../platform/core/text/numbers.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Quantity, Scroll } from '../../../platform/page/parts/display.tsx';
import { metricName } from '../../core/compare-jobs.ts';
import type { JobMetric, JobTiming } from '../../core/job.ts';
import { totalTimings } from '../../core/shown-job.ts';

/** The newest, smallest and largest value of each field of each metric, as the job reported them. */
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

/** Where the time went: what took longest first, over all workers, then each worker. */
export function TimingTable({ timings }: { readonly timings: readonly JobTiming[] }) {
  const totals = [...totalTimings(timings)].sort((a, b) => b.total - a.total);
  const all = totals.reduce((sum, { total }) => sum + total, 0);
  return (
    <Scroll label="Times">
      <table>
        <thead>
          <tr>
            <th scope="col">event</th>
            <th scope="col" class="number">
              total
            </th>
            <th scope="col" class="number">
              share
            </th>
            <th scope="col" class="number">
              mean
            </th>
            <th scope="col" class="number">
              times
            </th>
            <th scope="col">each worker: mean ± deviation, times</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ event, total, mean, instances }) => (
            <tr key={event}>
              <th scope="row">{event}</th>
              <td class="number">
                <Quantity value={total} unit="s" />
              </td>
              <td class="number">{all > 0 ? formatChange(total / all).replace('+', '') : ''}</td>
              <td class="number">
                <Quantity value={mean} unit="s" />
              </td>
              <td class="number">
                <Quantity value={instances} />
              </td>
              <td>
                {timings
                  .filter((one) => one.event === event)
                  .map((one) => (
                    <span key={one.rank} class="rank">
                      {one.rank}: <Quantity value={one.mean} unit="s" /> ±{' '}
                      <Quantity value={one.std} unit="s" />, {one.instances}{' '}
                    </span>
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
