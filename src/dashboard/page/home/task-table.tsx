import { State } from '../../../home/page/state.tsx';
import { formatDuration } from '../../../platform/core/text/numbers.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { HomeTask } from '../../app/home/home-view.ts';

/** Subsystems of the night that is shown. */
export function TaskTable({ tasks }: { readonly tasks: readonly HomeTask[] }) {
  return (
    <Scroll label="Subsystems">
      <table>
        <thead>
          <tr>
            <th scope="col">subsystem</th>
            <th scope="col">state</th>
            <th scope="col" class="number">
              took
            </th>
            <th scope="col">message</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ name, runId, state, durationMs, message }) => (
            <tr key={name}>
              <th scope="row">
                <Link to={`/runs/${encodeURIComponent(runId)}`}>{name}</Link>
              </th>
              <td>
                <State state={state} />
              </td>
              <td class="number">{durationMs === undefined ? '' : formatDuration(durationMs)}</td>
              <td class="message">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
