import assert from 'node:assert/strict';
import { test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../server/create-server.ts';
import type { ServerEffects } from '../../server/server-effects.ts';
import type { ForwardStatus } from '../app/forward-points.ts';
import type { DatabaseSize } from '../app/points-status.ts';
import { IngestCounters, packetLossText } from '../core/lines/ingest-counters.ts';
import type { PointService } from './point-service.ts';

const HOSTILE = `<script>alert(1)</script>"'&`;
const SIZE: DatabaseSize = {
  ...{ columns: 3, blocks: 2, points: 1000, bytes: 2048, logBytes: 5, series: 2, waiting: 7 },
};
const LANE: ForwardStatus = {
  ...{ name: HOSTILE, to: HOSTILE, state: 'waiting', sent: 12, leftOut: {}, notBuffered: 1 },
  buffer: { bytes: 1024, lines: 34, droppedLines: 2, torn: 0 },
  problem: HOSTILE,
};

function serverWith(points?: PointService) {
  const effects: ServerEffects = {
    disk: localDisk,
    clock: { now: () => 61_000 },
    index: { current: async () => undefined },
    report: (line) => assert.fail(line),
    ...(points && { points }),
  };
  const app = createServer({ home: '/nowhere/lab', isLoopback: true }, effects);
  return async (url: string) => app.inject({ url, headers: { host: 'localhost' } });
}

/** All names as bad as they can be. */
function hostileService(counters: IngestCounters): PointService {
  const unused = () => assert.fail('the page reads no values');
  return {
    counters,
    writer: { write: unused, hasDatabase: unused },
    reader: { databases: () => [HOSTILE], columns: unused, read: unused, latest: unused },
    stored: { size: async () => SIZE, buckets: unused, extent: unused },
    keepsNotFinite: false,
    nextTimestamp: () => ({ ms: 0, ns: 0 }),
    packets: async () => ({ isListening: true, lostByKernel: 4 }),
    forwarding: () => [LANE],
  };
}

function refuse(counters: IngestCounters): void {
  const refused = [{ line: HOSTILE, reason: 'syntax' as const, message: HOSTILE }];
  counters.countMessage('udp', 10);
  counters.countLines('udp', { lines: 3, values: 2, refused, refusedLines: 1 }, 1000);
  counters.countLost('queue-full', 5);
}

test('the status has sizes, refusals with their line, losses and backlogs, all as they are', async () => {
  const counters = new IngestCounters();
  refuse(counters);
  const response = await serverWith(hostileService(counters))('/api/points/status');
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  const { databases, hidden, ingest, forwarding } = response.json();
  assert.deepEqual(databases, [{ database: HOSTILE, ...SIZE }]);
  assert.equal(hidden, 0);
  assert.deepEqual(ingest.sources.udp, { messages: 1, bytes: 10, lines: 3, values: 2, refusedLines: 1 });
  assert.deepEqual(ingest.refused, { syntax: 1 });
  assert.equal(ingest.latest[0].line, HOSTILE);
  assert.equal(
    packetLossText(ingest.packets),
    'Packets lost: 4 by the system, 5 because the queue was full.',
  );
  assert.deepEqual(forwarding, [LANE]);
});

test('the token changes when something came in, and not before', async () => {
  const counters = new IngestCounters();
  const get = serverWith(hostileService(counters));
  const token = async () => (await get('/api/points/token')).json().token;
  const before = await token();
  assert.equal(await token(), before);
  refuse(counters);
  assert.notEqual(await token(), before);
});

test('the health of the server counts what was lost and waits, and names what needs somebody', async () => {
  const counters = new IngestCounters();
  refuse(counters);
  const { points, problems, startedAt, at, listeners, index } = (
    await serverWith(hostileService(counters))('/api/server')
  ).json();
  assert.deepEqual([startedAt, at, listeners, index], [61_000, 61_000, 0, undefined]);
  assert.deepEqual(points, {
    ...{ databases: 1, points: 1007, bytes: 2048, logBytes: 5, taken: 2, refusedLines: 1 },
    ...{ lostPackets: 9, mirrors: 1, mirrorsAway: 1 },
  });
  assert.deepEqual(problems, ['9 UDP packets were lost.', `Mirror ${HOSTILE} is unavailable: ${HOSTILE}`]);
});

test('a server without points has no status of them, and says so in its health', async () => {
  const get = serverWith();
  assert.equal((await get('/api/points/status')).statusCode, 404);
  assert.match((await get('/api/server')).json().problems[0], /^No points are taken/);
});

test('packets are reported of in a sentence', () => {
  assert.equal(packetLossText({ isListening: false, lost: {} }), 'No UDP packets are taken.');
  assert.equal(packetLossText({ isListening: true, lostByKernel: 0, lost: {} }), 'No packet was lost.');
  assert.match(packetLossText({ isListening: true, lost: {} }), /the system does not report how many/);
});
