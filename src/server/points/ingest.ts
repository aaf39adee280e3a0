import type { FastifyInstance } from 'fastify';
import type { IngestReport } from '../../core/lines/ingest-counters.ts';
import { sendJson } from '../send.ts';
import type { PointService } from './effects.ts';

/** What came in, what was refused and what was lost, since the server started. */
export function addIngest(app: FastifyInstance, { counters, packets }: PointService): void {
  app.get('/api/ingest', async (_request, reply) => sendJson(reply, counters.report(await packets())));
}

/** The same for Prometheus: families of https://prometheus.io/docs/specs/om/open_metrics_spec/ without the end mark. */
export function ingestMetrics({ sources, refused, packets }: IngestReport): string {
  const perSource = (key: keyof IngestReport['sources']['http']) =>
    Object.entries(sources).map(([source, counts]) => [`source="${source}"`, counts[key]] as const);
  const perReason = Object.entries(refused).map(([reason, count]) => [`reason="${reason}"`, count] as const);
  const lost = Object.entries(packets.lost).map(([why, count]) => [`reason="${why}"`, count] as const);
  const kernel =
    packets.lostByKernel === undefined ? [] : ([['reason="kernel"', packets.lostByKernel]] as const);
  return [
    family('nightmark_ingest_messages', 'Requests and packets with points', perSource('messages')),
    family('nightmark_ingest_lines', 'Lines that were read', perSource('lines')),
    family('nightmark_ingest_values', 'Values that were stored', perSource('values')),
    family('nightmark_ingest_refused_lines', 'Lines that were refused', perReason),
    family('nightmark_ingest_lost_packets', 'Packets that were lost', [...lost, ...kernel]),
  ].join('');
}

function family(
  name: string,
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): string {
  const lines = values.map(([labels, value]) => `${name}_total{${labels}} ${value}\n`);
  return `# TYPE ${name} counter\n# HELP ${name} ${help}\n${lines.join('')}`;
}
