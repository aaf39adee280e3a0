// Points into a real `nightmark serve` and a real InfluxDB, in turns: rate over HTTP, packets lost, bytes at rest, memory.
// Usage: node dist/bench/ingest.js [points] [series] [rounds]; exit code 1 when an aim is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipWithout } from '../test/support/real-server.ts';
import { ask, warmUp, writeAll } from './metrics/client.ts';
import { type PacketResult, sendPaced } from './metrics/packets.ts';
import { bodiesOf } from './metrics/points.ts';
import { median, printAims } from './metrics/report.ts';
import { bytesAtRest, type Contender, DATABASE, influxd, nightmark, settled } from './metrics/servers.ts';

const POINTS = Number(process.argv[2] ?? 1_000_000);
const SERIES = Number(process.argv[3] ?? 1_000);
const ROUNDS = Number(process.argv[4] ?? 3);
const CONNECTIONS = 4;
const WARM_UP_POINTS = 400_000;
const PACKETS = { perSecond: 50_000, seconds: 4 };

interface Ingested {
  readonly perSecond: number;
  readonly bytesPerPoint: number;
  readonly memory: number;
  readonly packets: PacketResult;
}

if (!skipWithout('influxd', 'install InfluxDB 1.x (apt-get install influxdb) to compare with it'))
  await main();

async function main(): Promise<void> {
  const ours: Ingested[] = [];
  const theirs: Ingested[] = [];
  for (const bodies of bodiesOf({ points: WARM_UP_POINTS, series: SERIES }))
    await warmUp(bodies, CONNECTIONS);
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [
      [nightmark, ours],
      [influxd, theirs],
    ] as const;
    for (const [contender, list] of round % 2 === 0 ? turns : turns.toReversed()) {
      const found = await ingest(contender);
      list.push(found);
      print(contender.name, found);
    }
  }
  const of = (list: readonly Ingested[], get: (one: Ingested) => number) => median(list.map(get));
  const ratio = (get: (one: Ingested) => number) => of(ours, get) / of(theirs, get);
  console.log(`Memory, ours to theirs: ${ratio(({ memory }) => memory).toPrecision(3)}`);
  printAims([
    { name: 'points a second over HTTP', ratio: ratio(({ perSecond }) => perSecond), least: 2 },
    { name: 'bytes a point at rest', ratio: ratio(({ bytesPerPoint }) => bytesPerPoint), most: 1 },
    {
      name: 'our packets lost, most of the rounds',
      ratio: Math.max(...ours.map(({ packets }) => packets.lost)),
      most: 0,
    },
  ]);
}

async function ingest(contender: Contender): Promise<Ingested> {
  const folder = mkdtempSync(join(tmpdir(), `nightmark-bench-ingest-${contender.name}-`));
  const server = await contender.start(folder);
  try {
    await ask(server, `CREATE DATABASE ${DATABASE}`);
    let spent = 0;
    for (const bodies of bodiesOf({ points: POINTS, series: SERIES }))
      spent += await writeAll(server, bodies, CONNECTIONS);
    const memory = server.peakMemory();
    await settled(contender, folder);
    await server.stop();
    const bytesPerPoint = bytesAtRest(contender, folder) / POINTS;
    const again = await contender.start(folder);
    const packets = await sendPaced(again, PACKETS).finally(() => again.stop());
    return { perSecond: (POINTS / spent) * 1000, bytesPerPoint, memory, packets };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(name: string, { perSecond, bytesPerPoint, memory, packets }: Ingested): void {
  const rate = `${(perSecond / 1e6).toFixed(3)} million points/s over HTTP`;
  const lost = `${packets.lost} of ${packets.sent} packets lost at ${Math.round(packets.perSecond)}/s`;
  console.log(
    `${name}: ${rate}, ${bytesPerPoint.toFixed(2)} bytes a point, ${memory.toFixed(0)} MiB, ${lost}`,
  );
}
