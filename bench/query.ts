// Three queries over HTTP to a real `nightmark serve` and a real InfluxDB that hold the same points, in turns.
// Usage: node dist/bench/query.js [points] [series] [rounds]; exit code 1 when an aim is missed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipWithout } from '../test/support/real-server.ts';
import { ask, writeAll } from './metrics/client.ts';
import { bodiesOf, longSeries, T0 } from './metrics/points.ts';
import { median, printAims } from './metrics/report.ts';
import { type Contender, DATABASE, influxd, nightmark, type Server, settled } from './metrics/servers.ts';

const POINTS = Number(process.argv[2] ?? 1_000_000);
const SERIES = Number(process.argv[3] ?? 10_000);
const ROUNDS = Number(process.argv[4] ?? 21);
const WINDOW = Math.max(1, Math.ceil(POINTS / 1000));
const RANGE = `time >= ${T0}s AND time < ${T0 + POINTS}s`;

interface Question {
  readonly name: string;
  readonly query: string;
  /** Of InfluxDB's time. */
  readonly most: number;
}

const QUESTIONS: readonly Question[] = [
  {
    name: 'last 1,000 points of a series',
    query: 'SELECT v FROM one ORDER BY time DESC LIMIT 1000',
    most: 0.5,
  },
  {
    name: `${POINTS} points to 1,000 buckets, mean`,
    query: `SELECT mean(v) FROM one WHERE ${RANGE} GROUP BY time(${WINDOW}s)`,
    most: 0.2,
  },
  {
    name: `${POINTS} points to 1,000 buckets, min and max`,
    query: `SELECT min(v), max(v) FROM one WHERE ${RANGE} GROUP BY time(${WINDOW}s)`,
    most: 0.2,
  },
  { name: `latest of ${SERIES} series`, query: 'SELECT last(usage) FROM cpu GROUP BY host', most: 0.2 },
];

if (!skipWithout('influxd', 'install InfluxDB 1.x (apt-get install influxdb) to compare with it'))
  await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-bench-query-'));
  const servers: Server[] = [];
  try {
    for (const contender of [nightmark, influxd]) servers.push(await filled(contender, folder));
    const aims = [];
    for (const { name, query, most } of QUESTIONS) {
      const [ours, theirs] = await compare(servers, query);
      console.log(`${name}: nightmark ${ours.toFixed(2)} ms, influxd ${theirs.toFixed(2)} ms`);
      aims.push({ name, ratio: ours / theirs, most });
    }
    printAims(aims);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Holds the points, started anew when they are at rest. */
async function filled(contender: Contender, root: string): Promise<Server> {
  const folder = join(root, contender.name);
  const server = await contender.start(folder);
  try {
    await ask(server, `CREATE DATABASE ${DATABASE}`);
    // Two points of each series, and the long one.
    for (const bodies of bodiesOf({ points: 2 * SERIES, series: SERIES })) await writeAll(server, bodies, 4);
    for (const bodies of longSeries(POINTS)) await writeAll(server, bodies, 1);
    await settled(contender, folder);
  } finally {
    await server.stop();
  }
  return contender.start(folder);
}

/** Medians in milliseconds; both say the same. */
async function compare(servers: readonly Server[], query: string): Promise<readonly [number, number]> {
  const spent: [number[], number[]] = [[], []];
  for (let round = -10; round < ROUNDS; round++) {
    const answers: string[] = [];
    for (const turn of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const start = performance.now();
      answers[turn] = await ask(servers[turn] as Server, query);
      // The first rounds warm both.
      if (round >= 0) spent[turn]?.push(performance.now() - start);
    }
    if (round === 0) assert.deepEqual(valuesOf(answers[0]), valuesOf(answers[1]), query);
  }
  return [median(spent[0]), median(spent[1])];
}

/** Sums of floats may differ in their last digits: both add in their own order. */
function valuesOf(text = ''): readonly string[] {
  const { results } = JSON.parse(text) as { results: { series?: { values: unknown[][] }[] }[] };
  const rows = results.flatMap(({ series = [] }) => series.flatMap(({ values }) => values));
  return rows.map((row) => row.map((cell) => Number(cell).toPrecision(12)).join());
}
