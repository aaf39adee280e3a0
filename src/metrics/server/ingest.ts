import type { FastifyInstance } from 'fastify';
import { count, fields, list, mapOf, text, yesOrNo } from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { LaneStatus } from '../app/forward-lane.ts';
import type { IngestReport } from '../core/lines/ingest-counters.ts';
import type { PointService } from './effects.ts';

const DOC = {
  summary: 'What came in, was refused and was lost since the server started',
  answer: fields({
    sources: mapOf(mapOf(count)),
    refused: mapOf(count),
    packets: fields({ isListening: yesOrNo }),
    latest: list(fields({ line: text, message: text })),
  }),
};

/** What came in, what was refused and what was lost, since the server started. */
export function addIngest(app: FastifyInstance, service: PointService): void {
  const { counters, packets } = service;
  app.get('/api/ingest', { config: { doc: DOC } }, async (_request, reply) => {
    const forwarding = service.forwarding?.();
    return sendJson(reply, { ...counters.report(await packets()), ...(forwarding && { forwarding }) });
  });
}

/** Everything about points that Prometheus is told. */
export async function pointMetrics(service: PointService): Promise<string> {
  const ingest = ingestMetrics(service.counters.report(await service.packets()));
  const lanes = service.forwarding?.() ?? [];
  return lanes.length === 0 ? ingest : `${ingest}${forwardMetrics(lanes)}`;
}

/** The same for Prometheus: families of https://prometheus.io/docs/specs/om/open_metrics_spec/ without the end mark. */
function ingestMetrics({ sources, refused, packets }: IngestReport): string {
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

function forwardMetrics(lanes: readonly LaneStatus[]): string {
  const perTarget = (count: (lane: LaneStatus) => number) =>
    lanes.map((lane) => [targetOf(lane), count(lane)] as const);
  const leftOut = lanes.flatMap((lane) =>
    Object.entries(lane.leftOut).map(
      ([reason, count]) => [`${targetOf(lane)},reason="${reason}"`, count] as const,
    ),
  );
  const lost = perTarget(({ buffer, notBuffered }) => buffer.droppedLines + notBuffered);
  return [
    family(
      'nightmark_forward_values',
      'Values that a mirror took',
      perTarget(({ sent }) => sent),
    ),
    family('nightmark_forward_left_out_values', 'Values that a mirror cannot take', leftOut),
    family('nightmark_forward_lost_lines', 'Lines that found no room on disk', lost),
    gauge(
      'nightmark_forward_waiting_lines',
      'Lines that wait on disk',
      perTarget(({ buffer }) => buffer.lines),
    ),
    gauge(
      'nightmark_forward_up',
      'Whether a mirror takes what is sent',
      perTarget(({ state }) => (state === 'waiting' ? 0 : 1)),
    ),
  ].join('');
}

/** People choose the name. */
function targetOf({ name }: LaneStatus): string {
  return `target="${name.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

type Labelled = readonly (readonly [labels: string, value: number])[];

function family(name: string, help: string, values: Labelled): string {
  const lines = values.map(([labels, value]) => `${name}_total{${labels}} ${value}\n`);
  return `# TYPE ${name} counter\n# HELP ${name} ${help}\n${lines.join('')}`;
}

function gauge(name: string, help: string, values: Labelled): string {
  const lines = values.map(([labels, value]) => `${name}{${labels}} ${value}\n`);
  return `# TYPE ${name} gauge\n# HELP ${name} ${help}\n${lines.join('')}`;
}
