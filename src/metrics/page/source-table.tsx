import { Quantity } from '../../platform/page/parts/quantity.tsx';
import { Scroll } from '../../platform/page/parts/scroll.tsx';
import { countLostPackets, type IngestReport, packetLossText } from '../core/lines/ingest-counters.ts';
import { BadCount } from './bad-count.tsx';

export const SOURCE_NAMES = { http: 'HTTP', udp: 'UDP' } as const;

/** By the way it came. */
export function SourceTable({ ingest: { sources, packets } }: { readonly ingest: IngestReport }) {
  const heads = ['requests, packets', 'size', 'lines', 'points', 'lines refused', 'packets lost'];
  return (
    <>
      <Scroll label="What came in">
        <table>
          <thead>
            <tr>
              <th scope="col">way</th>
              {heads.map((head) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(['http', 'udp'] as const).map((source) => {
              const { messages, bytes, lines, values, refusedLines } = sources[source];
              return (
                <tr key={source}>
                  <th scope="row">{SOURCE_NAMES[source]}</th>
                  <td class="number">
                    <Quantity value={messages} />
                  </td>
                  <td class="number">
                    <Quantity value={bytes} unit="B" />
                  </td>
                  <td class="number">
                    <Quantity value={lines} />
                  </td>
                  <td class="number">
                    <Quantity value={values} />
                  </td>
                  <td class="number">
                    <BadCount value={refusedLines} />
                  </td>
                  <td class="number">{source === 'udp' && <BadCount value={countLostPackets(packets)} />}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="quiet">{packetLossText(packets)}</p>
    </>
  );
}
