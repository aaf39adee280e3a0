import { Quantity, Scroll } from '../../platform/page/parts/display.tsx';
import type { LaneStatus } from '../app/forward-lane.ts';
import { BadCount } from './bad-count.tsx';

/** Where points are sent on to, and what waits or was lost on the way. */
export function MirrorTable({ lanes }: { readonly lanes: readonly LaneStatus[] }) {
  const heads = ['points sent', 'lines waiting', 'size', 'lines lost', 'left out'];
  return (
    <Scroll label="Mirrors">
      <table>
        <thead>
          <tr>
            <th scope="col">mirror</th>
            <th scope="col">state</th>
            {heads.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.map((lane) => (
            <Lane key={lane.name} lane={lane} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Lane({ lane }: { readonly lane: LaneStatus }) {
  const { name, to, state, sent, buffer, notBuffered, leftOut, problem, firstRefusal } = lane;
  const leftOutCount = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const said = problem ?? firstRefusal;
  return (
    <tr>
      <th scope="row">
        {name.slice(0, 80)} <span class="quiet">{to.slice(0, 120)}</span>
      </th>
      <td>
        {state}
        {said !== undefined && <div class="quiet message">{said.slice(0, 300)}</div>}
      </td>
      <td class="number">
        <Quantity value={sent} />
      </td>
      <td class="number">
        <Quantity value={buffer.lines} />
      </td>
      <td class="number">
        <Quantity value={buffer.bytes} unit="B" />
      </td>
      <td class="number">
        <BadCount value={buffer.droppedLines + notBuffered} />
      </td>
      <td class="number">
        <BadCount value={leftOutCount} />
      </td>
    </tr>
  );
}
