import { Scroll } from '../../platform/page/parts/display.tsx';
import { Age } from '../../platform/page/parts/time.tsx';
import type { IngestReport } from '../core/lines/ingest-counters.ts';
import { SOURCE_NAMES } from './source-table.tsx';

/** Why lines were refused, and the newest of them with what is wrong. */
export function Refusals({ ingest: { refused, latest } }: { readonly ingest: IngestReport }) {
  const reasons = Object.entries(refused);
  if (reasons.length === 0) return <p class="calm">No line was refused.</p>;
  return (
    <>
      <p>
        {reasons.map(([reason, count], place) => (
          <span key={reason}>
            {place > 0 && ', '}
            {reason} <strong>{count}</strong>
          </span>
        ))}
      </p>
      <Scroll label="Refused lines">
        <table>
          <thead>
            <tr>
              {['when', 'way', 'reason', 'what is wrong', 'line'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {latest.map(({ at, source, reason, message, line }, place) => (
              <tr key={place}>
                <td>
                  <Age at={at} />
                </td>
                <td>{SOURCE_NAMES[source]}</td>
                <td>{reason}</td>
                <td class="message">{message.slice(0, 200)}</td>
                <td>
                  <code class="path" title={line}>
                    {line.slice(0, 300)}
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
