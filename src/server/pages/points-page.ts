import type { DatabaseSize } from '../../app/points/database-size.ts';
import type { LaneStatus } from '../../app/points/forward-lane.ts';
import type { IngestReport } from '../../core/lines/ingest-counters.ts';
import { type Content, type Html, html } from '../../core/text/html.ts';
import { counted } from '../../core/text/numbers.ts';
import { age } from '../parts/moment.ts';
import { quantity } from '../parts/quantity.ts';
import { shortened } from '../parts/state.ts';

export interface PointsView {
  readonly databases: readonly (DatabaseSize & { readonly database: string })[];
  /** Databases that are there and not shown. */
  readonly hidden: number;
  /** Why the store cannot be used now. */
  readonly problem?: string;
  readonly ingest: IngestReport;
  readonly forwarding: readonly LaneStatus[];
}

/** What is stored, what came in, and what was refused or lost: nothing goes unseen. */
export function pointsPage(view: PointsView, now: number): Content {
  const { ingest, forwarding } = view;
  return html`${view.problem === undefined ? storedPart(view) : awayPart(view.problem)}
<h2>What came in since the server started</h2>${sourceTable(ingest)}
<h2>Refused</h2>${refusals(ingest, now)}
${forwarding.length > 0 && html`<h2>Mirrors</h2>${laneTable(forwarding)}`}`;
}

export function noPointsPage(): Content {
  return html`<h1>This server takes no points</h1><p>What keeps it from that is in the terminal of <code>nightmark serve</code>: another server may have this home open, or the definition cannot be read.</p>`;
}

function awayPart(problem: string): Html {
  return html`<h1>The store of points cannot be used now</h1>
<p>${shortened(problem, 500)}</p><p>It is tried again by itself. Until then writes and queries are answered with status 503.</p>`;
}

function storedPart({ databases, hidden }: PointsView): Html {
  const points = databases.reduce((sum, size) => sum + size.points + size.waiting, 0);
  return html`<h1>${counted(points, 'point')} in ${counted(databases.length + hidden, 'database')}${hidden > 0 && `, of which ${databases.length} are shown`}</h1>
<p class="quiet">The newest points wait in memory and in the log until they are compressed. The values: <code>/api/points</code>, <code>/query</code></p>
${points === 0 && howToSend(databases[0]?.database)}
${databases.length > 0 && databaseTable(databases)}`;
}

/** A write needs a database that is there. */
function howToSend(database: string | undefined): Html {
  const create = `curl -X POST '…/query' --data-urlencode 'q=CREATE DATABASE nightmark'`;
  // Of the characters that a shell sees in single quotes, the encoding leaves only the quote itself.
  const name = String(new URLSearchParams({ db: database ?? 'nightmark' })).replaceAll("'", '%27');
  const write = `curl -X POST '…/write?${name}' --data-binary 'loss,job=7 value=0.46'`;
  return html`<p class="calm">No points yet. ${database === undefined ? html`First make a database: <code>${create}</code> Then send one:` : 'One way to send one:'} <code>${write}</code></p>`;
}

function databaseTable(databases: PointsView['databases']): Html {
  const logBytes = Math.max(...databases.map((size) => size.logBytes));
  return html`<div class="scroll"><table>
<thead><tr><th>database</th><th class="number">series</th><th class="number">fields</th><th class="number">points</th><th class="number">not compressed yet</th><th class="number">size</th><th class="number">a point</th></tr></thead>
<tbody>${databases.map(databaseRow)}</tbody></table></div>
<p class="quiet">The log of all databases has ${quantity(logBytes, 'B')}.</p>`;
}

function databaseRow(size: PointsView['databases'][number]): Html {
  const each = size.points === 0 ? '' : quantity(Math.round((size.bytes / size.points) * 100) / 100, 'B');
  const counts = [size.series, size.columns, size.points + size.waiting, size.waiting];
  return html`<tr><th scope="row">${shortened(size.database, 80)}</th>${counts.map(number)}<td class="number">${quantity(size.bytes, 'B')}</td><td class="number">${each}</td></tr>`;
}

const SOURCE_NAMES = { http: 'HTTP', udp: 'UDP' } as const;

function sourceTable({ sources, packets }: IngestReport): Html {
  const rows = (['http', 'udp'] as const).map((source) => {
    const { messages, bytes, lines, values, refusedLines } = sources[source];
    return html`<tr><th scope="row">${SOURCE_NAMES[source]}</th>${number(messages)}<td class="number">${quantity(bytes, 'B')}</td>${[lines, values].map(number)}${bad(refusedLines)}${source === 'udp' ? bad(lostOf(packets)) : html`<td></td>`}</tr>`;
  });
  return html`<div class="scroll"><table>
<thead><tr><th>way</th><th class="number">requests, packets</th><th class="number">size</th><th class="number">lines</th><th class="number">points</th><th class="number">lines refused</th><th class="number">packets lost</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="quiet">${packetText(packets)}</p>`;
}

function lostOf({ lost, lostByKernel = 0 }: IngestReport['packets']): number {
  return Object.values(lost).reduce((sum, count) => sum + count, lostByKernel);
}

function packetText(packets: IngestReport['packets']): string {
  const { isListening, lost, lostByKernel } = packets;
  if (!isListening) return 'No UDP packets are taken.';
  if (lostByKernel !== undefined && lostOf(packets) === 0) return 'No packet was lost.';
  const kernel =
    lostByKernel === undefined
      ? 'the system does not say how many before they came here'
      : `${lostByKernel} by the system`;
  const ours = Object.entries(lost).map(([why, count]) => `${count} ${LOSSES[why] ?? why}`);
  return `Packets lost: ${[kernel, ...ours].join(', ')}.`;
}

const LOSSES: Readonly<Record<string, string>> = {
  'queue-full': 'because the queue was full',
  strict: 'for one bad line (strict)',
  'not-written': 'because they could not be written',
};

function refusals({ refused, latest }: IngestReport, now: number): Content {
  const reasons = Object.entries(refused);
  if (reasons.length === 0) return html`<p class="calm">No line was refused.</p>`;
  return html`<p>${reasons.map(([reason, count], i) => html`${i > 0 && ', '}${reason} <strong>${count}</strong>`)}</p>
<div class="scroll"><table><thead><tr><th>when</th><th>way</th><th>reason</th><th>what is wrong</th><th>line</th></tr></thead>
<tbody>${latest.map(({ at, source, reason, message, line }) => html`<tr><td>${age(at, now)}</td><td>${SOURCE_NAMES[source]}</td><td>${reason}</td><td>${shortened(message, 200)}</td><td><code class="path">${shortened(line, 300)}</code></td></tr>`)}</tbody></table></div>`;
}

function laneTable(lanes: readonly LaneStatus[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>mirror</th><th>state</th><th class="number">points sent</th><th class="number">lines waiting</th><th class="number">size</th><th class="number">lines lost</th><th class="number">left out</th></tr></thead>
<tbody>${lanes.map(laneRow)}</tbody></table></div>`;
}

function laneRow({
  name,
  to,
  state,
  sent,
  buffer,
  notBuffered,
  leftOut,
  problem,
  firstRefusal,
}: LaneStatus): Html {
  const leftOutCount = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const said = problem ?? firstRefusal;
  return html`<tr><th scope="row">${shortened(name, 80)} <span class="quiet">${shortened(to, 120)}</span></th><td>${state}${said !== undefined && html`<br><span class="quiet">${shortened(said, 300)}</span>`}</td>${[sent, buffer.lines].map(number)}<td class="number">${quantity(buffer.bytes, 'B')}</td>${bad(buffer.droppedLines + notBuffered)}${bad(leftOutCount)}</tr>`;
}

function number(value: number): Html {
  return html`<td class="number">${quantity(value, '')}</td>`;
}

/** Stands out when it is not zero; the head of its column says what it is. */
function bad(value: number): Html {
  return html`<td class="number">${value > 0 ? html`<strong class="change worse">${quantity(value, '')}</strong>` : '0'}</td>`;
}
