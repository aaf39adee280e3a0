import { Quantity, Scroll } from '../../platform/page/parts/display.tsx';
import { Age } from '../../platform/page/parts/time.tsx';
import type { ForwardStatus } from '../app/forward-points.ts';
import { countLostPackets, type IngestReport, packetLossText } from '../core/lines/ingest-counters.ts';

const SOURCE_NAMES = { http: 'HTTP', udp: 'UDP' } as const;

/** Received points by protocol. */
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

/** Why lines were refused, and the newest of them with the message. */
export function RefusedLineTable({ ingest: { refused, latest } }: { readonly ingest: IngestReport }) {
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
              {['when', 'way', 'reason', 'message', 'line'].map((head) => (
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

/** Mirrors that points are forwarded to, with queued and lost lines. */
export function MirrorTable({ mirrors }: { readonly mirrors: readonly ForwardStatus[] }) {
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
          {mirrors.map((mirror) => (
            <MirrorRow key={mirror.name} mirror={mirror} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function MirrorRow({ mirror }: { readonly mirror: ForwardStatus }) {
  const { name, to, state, sent, buffer, notBuffered, leftOut, problem, firstRefusal } = mirror;
  const leftOutCount = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const message = problem ?? firstRefusal;
  return (
    <tr>
      <th scope="row">
        {name.slice(0, 80)} <span class="quiet">{to.slice(0, 120)}</span>
      </th>
      <td>
        {state}
        {message !== undefined && <div class="quiet message">{message.slice(0, 300)}</div>}
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

/** Highlighted when it is not zero; the header of its column says what it is. */
function BadCount({ value }: { readonly value: number }) {
  if (value === 0) return <>0</>;
  return (
    <strong class="change worse">
      <Quantity value={value} />
    </strong>
  );
}
