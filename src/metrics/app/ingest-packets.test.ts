import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryPoints } from '../../../test/support/memory-points.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import { uniqueTimestamps } from '../core/points/points.ts';
import { PacketIngester } from './ingest-packets.ts';

async function take(packets: readonly string[], { isStrict = false, keepsNotFinite = false } = {}) {
  const stored = memoryPoints(['d']);
  const reports: string[] = [];
  const effects = {
    ...stored,
    clock: systemClock,
    nextTimestamp: uniqueTimestamps(systemClock),
    report: (line: string) => void reports.push(line),
  };
  const taker = new PacketIngester({ database: 'd', keepsNotFinite, isStrict }, effects);
  for (const packet of packets) taker.take(Buffer.from(packet));
  await taker.drain();
  return { ...stored, reports, report: stored.counters.report({ isListening: true }) };
}

/** Each row of the table of what pytelegraf 0.3.3 sends: what is stored of it, or why nothing is. */
const PYTELEGRAF: readonly (readonly [packet: string, ...stored: string[]])[] = [
  ['test_metric value=123i\n', 'test_metric value=123 integer'],
  [
    'test_many value_a=100i,value_b=100i,value_c=True\n',
    'test_many value_a=100 integer',
    'test_many value_b=100 integer',
    'test_many value_c=1 boolean',
  ],
  ['test_metric,server_name=my-server value=123i\n', 'test_metric,server_name=my-server value=123 integer'],
  ['training_loss value=0.46\n', 'training_loss value=0.46 float'],
  ['text value="say "hi""\n', 'text value=say "hi" string'],
  ['text value="two\nlines"\n', 'text value=two\nlines string'],
  ['text,n=None,b=True,i=3 value="x"\n', 'text,b=True,i=3,n=None value=x string'],
  ['f value=1e-07\n', 'f value=1e-7 float'],
  ['f value=1e+22\n', 'f value=1e+22 float'],
  ['f value=-0.0\n', 'f value=-0 float'],
  ['f value=3\n', 'f value=3 float'],
  ['f value=0.10000000149011612\n', 'f value=0.10000000149011612 float'],
];
const REFUSED: readonly (readonly [packet: string, reason: string])[] = [
  ['m value=nan\n', 'not-finite'],
  ['m value=inf\n', 'not-finite'],
  ['m \n', 'syntax'],
  ['m value=1i 1.5\n', 'time'],
  ['m,empty= value=1i\n', 'syntax'],
  ['m value=100000000000000000000i\n', 'number'],
  ['m value=[1, 2]\n', 'syntax'],
  ['m,k=v\\ value=1i\n', 'syntax'],
];

for (const [packet, ...expected] of PYTELEGRAF) {
  test(`stores ${JSON.stringify(packet)}`, async () => {
    const { points, report } = await take([packet]);
    assert.deepEqual(points, expected);
    assert.deepEqual(report.refused, {});
  });
}

for (const [packet, reason] of REFUSED) {
  test(`refuses and counts ${JSON.stringify(packet)}`, async () => {
    const { points, report } = await take([packet, 'n v=1']);
    assert.deepEqual(points, ['n v=1 float']);
    assert.deepEqual(report.refused, { [reason]: 1 });
    assert.deepEqual(report.sources.udp, {
      messages: 2,
      bytes: packet.length + 5,
      lines: 2,
      values: 1,
      refusedLines: 1,
    });
  });
}

test('keeps the good lines of a packet with a bad one, or none of them when strict', async () => {
  const packets = ['m v=1i 1\nm v=x\nm v=3i 3', 'm v=4i 4'];
  const lenient = await take(packets);
  assert.deepEqual(lenient.points, ['m v=1 integer', 'm v=3 integer', 'm v=4 integer']);
  assert.deepEqual(lenient.report.packets.lost, {});
  const strict = await take(packets, { isStrict: true });
  assert.deepEqual(strict.points, ['m v=4 integer']);
  assert.deepEqual(strict.report.packets.lost, { strict: 1 });
  assert.deepEqual(strict.report.refused, { syntax: 1 });
});

test('a packet that is cut off in a string does not swallow the next ones', async () => {
  const { points } = await take(['m v="cut', 'm v="a"\\', 'm w=1', 'm,a=b', 'm w=2']);
  assert.deepEqual(points, ['m w=1 float', 'm w=2 float']);
});

test('each packet without a time gets one of its own', async () => {
  const { times } = await take(Array.from({ length: 1000 }, (_, i) => `m v=${i}`));
  assert.equal(new Set(times).size, 1000);
});

test('what cannot be written is counted and reported', async () => {
  const stored = memoryPoints(['d']);
  const reports: string[] = [];
  const writer = {
    ...stored.writer,
    write: () => Promise.reject(new Error('the disk is full')),
  };
  const nextTimestamp = uniqueTimestamps(systemClock);
  const report = (line: string) => void reports.push(line);
  const options = { database: 'd', keepsNotFinite: false, isStrict: false };
  const taker = new PacketIngester(options, { ...stored, writer, clock: systemClock, nextTimestamp, report });
  taker.take(Buffer.from('m v=1'));
  taker.take(Buffer.from('m v=2'));
  await taker.drain();
  assert.deepEqual(reports, ['Packets could not be written and are counted as lost: the disk is full']);
  assert.deepEqual(stored.counters.report({ isListening: true }).packets.lost, { 'not-written': 2 });
});
