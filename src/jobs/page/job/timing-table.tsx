import { formatChange } from '../../../platform/core/text/numbers.ts';
import { Quantity } from '../../../platform/page/parts/quantity.tsx';
import { Scroll } from '../../../platform/page/parts/scroll.tsx';
import type { JobTiming } from '../../core/job.ts';
import { totalTimings } from '../../core/shown-job.ts';

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
