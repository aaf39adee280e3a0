import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../platform/core/errors.ts';
import { anything, count, fields, list, mapOf, text, yesOrNo } from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { ForwardStatus } from '../app/forward-points.ts';
import type { PointsView } from '../app/points-status.ts';
import type { IngestReport } from '../core/lines/ingest-counters.ts';
import { storageUnavailableMessage } from '../core/points/point-reader.ts';
import type { PointService } from './point-service.ts';

/** Sizes of further databases are not computed for a page. */
const DATABASES_SHOWN = 200;

/** Received, refused and stored points. */
export function addPointsStatus(app: FastifyInstance, { points }: { readonly points?: PointService }): void {
  if (points === undefined) return;
  app.get('/api/points/status', { config: { doc: DOCS.status } }, async (_request, reply) =>
    sendJson(reply, await viewOfPoints(points)),
  );
  // Requested every few seconds by every open page: computes no sizes.
  app.get('/api/points/token', { config: { doc: DOCS.token } }, async (_request, reply) =>
    sendJson(reply, { token: await tokenOf(points) }),
  );
}

const DOCS = {
  status: {
    summary: 'Databases with their sizes, what came in and was refused, and the state of mirrors',
    answer: fields({
      databases: list(fields({ database: text })),
      hidden: count,
      'problem?': text,
      ingest: fields({ sources: mapOf(anything), refused: mapOf(count), latest: list(anything) }),
      forwarding: list(fields({ name: text })),
    }),
  },
  token: { summary: 'A token that changes with the counts', answer: fields({ token: text }) },
};

/** Sizes, counters and mirrors. */
export async function viewOfPoints(points: PointService): Promise<PointsView> {
  const { counters, packets, forwarding } = points;
  return {
    ...(await sizesOf(points)),
    ingest: counters.report(await packets()),
    forwarding: forwarding?.() ?? [],
  };
}

/** An unavailable storage does not hide the rest. */
async function sizesOf(points: PointService): Promise<Pick<PointsView, 'databases' | 'hidden' | 'problem'>> {
  const { stored } = points;
  const problem = points.problem?.();
  if (problem !== undefined || stored === undefined)
    return { databases: [], hidden: 0, ...(problem !== undefined && { problem }) };
  const names = namesOf(points);
  const databases = [];
  try {
    for (const database of names.slice(0, DATABASES_SHOWN)) {
      databases.push({ database, ...(await stored.size(database)) });
    }
  } catch (error) {
    if (storageUnavailableMessage(error) === undefined) throw error;
    return { databases: [], hidden: names.length, problem: messageOf(error) };
  }
  return { databases, hidden: names.length - databases.length };
}

function namesOf({ reader, problem }: PointService): readonly string[] {
  return problem?.() === undefined ? (reader?.databases() ?? []) : [];
}

/** Changes with the counters. */
async function tokenOf(points: PointService): Promise<string> {
  const { counters, packets, forwarding, problem } = points;
  const facts = [namesOf(points), counters.report(await packets()), forwarding?.(), problem?.()];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16);
}

const INGEST_DOC = {
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
  app.get('/api/ingest', { config: { doc: INGEST_DOC } }, async (_request, reply) => {
    const forwarding = service.forwarding?.();
    return sendJson(reply, { ...counters.report(await packets()), ...(forwarding && { forwarding }) });
  });
}

/** Metrics of points for Prometheus. */
export async function pointMetrics(service: PointService): Promise<string> {
  const ingest = ingestMetrics(service.counters.report(await service.packets()));
  const mirrors = service.forwarding?.() ?? [];
  return mirrors.length === 0 ? ingest : `${ingest}${forwardMetrics(mirrors)}`;
}

/** Metric families of https://prometheus.io/docs/specs/om/open_metrics_spec/ without the EOF mark. */
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

function forwardMetrics(mirrors: readonly ForwardStatus[]): string {
  const perTarget = (count: (mirror: ForwardStatus) => number) =>
    mirrors.map((mirror) => [targetOf(mirror), count(mirror)] as const);
  const leftOut = mirrors.flatMap((mirror) =>
    Object.entries(mirror.leftOut).map(
      ([reason, count]) => [`${targetOf(mirror)},reason="${reason}"`, count] as const,
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

/** Escaped, because users choose the name. */
function targetOf({ name }: ForwardStatus): string {
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
