import assert from 'node:assert/strict';
import { test } from 'node:test';
import localDisk from '../../adapters/disks/local/index.ts';
import type { DatabaseSize } from '../../app/points/database-size.ts';
import type { LaneStatus } from '../../app/points/forward-lane.ts';
import { IngestCounters } from '../../core/lines/ingest-counters.ts';
import { createServer } from '../create-server.ts';
import type { ServerEffects } from '../effects.ts';
import type { PointService } from '../points/effects.ts';

const HOSTILE = `<script>alert(1)</script>"'&`;
const ESCAPED = '&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;';
const SIZE: DatabaseSize = {
  ...{ columns: 3, blocks: 2, points: 1000, bytes: 2048, logBytes: 5, series: 2, waiting: 7 },
};
const LANE: LaneStatus = {
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

/** What the page is about, all names as bad as they can be. */
function hostileService(counters: IngestCounters): PointService {
  const unused = () => assert.fail('the page reads no values');
  return {
    counters,
    writer: { write: unused, hasDatabase: unused },
    reader: { databases: () => [HOSTILE], columns: unused, read: unused, latest: unused },
    stored: { size: async () => SIZE, buckets: unused },
    keepsNotFinite: false,
    moment: () => ({ ms: 0, ns: 0 }),
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

test('the page shows sizes, refusals with their line, losses and backlogs, and escapes all of them', async () => {
  const counters = new IngestCounters();
  refuse(counters);
  const { statusCode, body } = await serverWith(hostileService(counters))('/points');
  assert.equal(statusCode, 200);
  assert.ok(!body.includes('<script>alert'), body);
  assert.equal(
    body.split(ESCAPED).length - 1,
    6,
    'database, message, line, mirror, its target and its problem',
  );
  const text = body
    .replace(/<[^>]+>/g, '|')
    .replace(/[\u2009\u202f\u00a0]/g, ' ')
    .replace(/\|+/g, '|');
  assert.match(text, /\|1 007 points in 1 database\|/);
  assert.match(text, /\|2\|3\|1 007\|7\|2.00 KiB\|2.05 B\|/);
  assert.match(text, /\|UDP\|1\|10 B\|3\|2\|1\|9\|/);
  assert.match(text, /Packets lost: 4 by the system, 5 because the queue was full\./);
  assert.match(text, /\|syntax \|1\|/);
  assert.match(text, /\|12\|34\|1.00 KiB\|3\|0\|/);
});

test('the page is loaded again when something came in, and not before', async () => {
  const counters = new IngestCounters();
  const get = serverWith(hostileService(counters));
  const token = async () => (await get('/api/points/token')).json().token;
  const before = await token();
  assert.equal(await token(), before);
  const { body } = await get('/points');
  assert.ok(body.includes(`data-token="${before}" data-address="/api/points/token"`));
  refuse(counters);
  assert.notEqual(await token(), before);
});

test('a server without points says so', async () => {
  const { statusCode, body } = await serverWith()('/points');
  assert.equal(statusCode, 200);
  assert.match(body, /This server takes no points/);
});
