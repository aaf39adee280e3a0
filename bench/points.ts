// How fast points go into the engine and come out of it, and what they take at rest; without HTTP and without a peer.
// Usage: node dist/bench/points.js [points] [series]

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openStorage from '../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../src/metrics/app/point-engine.ts';
import { decodeColumn, encodeColumn } from '../src/metrics/core/codec/column-codec.ts';
import clock from '../src/platform/adapters/system-clock.ts';

const POINTS = Number(process.argv[2] ?? 1_000_000);
const SERIES = Number(process.argv[3] ?? 1_000);
const BATCH = 5_000;
const T0 = 1_700_000_000;
const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-points-'));

try {
  const kinds: readonly [string, (level: number) => number][] = [
    ['walk with 2 decimals', (level) => Math.round(level * 100 + (Math.random() - 0.5) * 200) / 100],
    ['random doubles', () => Math.random()],
  ];
  for (const [name, next] of kinds) await measureKind(name, next);
  await measureReads();
  measureCodec();
} finally {
  rmSync(root, { recursive: true });
}

async function openEngine(name: string): Promise<PointEngine> {
  const engine = await PointEngine.open(await openStorage(join(root, name)), { clock });
  await engine.createDatabase('db');
  return engine;
}

async function measureKind(name: string, next: (level: number) => number): Promise<void> {
  const engine = await openEngine(name);
  const levels = new Float64Array(SERIES).fill(50);
  const batches: Buffer[] = [];
  for (let point = 0; point < POINTS; ) {
    const rows: string[] = [];
    for (let row = 0; row < BATCH && point < POINTS; row++, point++) {
      const series = point % SERIES;
      levels[series] = next(levels[series] as number);
      rows.push(`cpu,host=h${series} usage=${levels[series]} ${T0 + 10 * Math.floor(point / SERIES)}`);
    }
    batches.push(Buffer.from(rows.join('\n')));
  }
  const start = performance.now();
  for (const body of batches) await write(engine, body);
  const written = performance.now();
  await engine.flush();
  const settled = performance.now();
  await engine.close();
  const bytes = readdirSync(join(root, name)).reduce(
    (sum, file) => sum + statSync(join(root, name, file)).size,
    0,
  );
  console.log(`${name}: ${POINTS} points in ${SERIES} series`);
  console.log(`  acknowledged ${rate(POINTS, written - start)}, settled ${rate(POINTS, settled - start)}`);
  console.log(`  at rest ${(bytes / POINTS).toFixed(2)} bytes a point (the whole folder)`);
  console.log(`  memory ${Math.round(process.memoryUsage.rss() / 1024 ** 2)} MiB`);
}

async function measureReads(): Promise<void> {
  const engine = await openEngine('reads');
  for (let from = 0; from < 1_000_000; from += BATCH) {
    const rows = Array.from(
      { length: BATCH },
      (_, i) => `one v=${((from + i) * 7919) % 1000} ${T0 + from + i}`,
    );
    await write(engine, Buffer.from(rows.join('\n')));
  }
  for (let from = 0; from < 10_000; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, i) => `many,s=${from + i} v=${i} ${T0}`);
    await write(engine, Buffer.from(rows.join('\n')));
  }
  await engine.flush();
  const columns = engine.columns('db');
  const one = columns.find(({ measurement }) => measurement === 'one')?.number ?? 0;
  const many = columns.filter(({ measurement }) => measurement === 'many').map(({ number }) => number);
  const at = (seconds: number) => ({ ms: (T0 + seconds) * 1000, ns: 0 });
  await timed('last 1,000 points of a series', () => engine.read(one, { from: at(999_000) }));
  await timed('1,000,000 points as they are', () => engine.read(one, {}));
  await timed('1,000,000 points to 1,000 buckets', () =>
    engine.buckets(one, { from: at(0), to: at(1_000_000) }, 1000),
  );
  await timed('latest of 10,000 series', () => engine.latest(many));
  await engine.close();
}

function measureCodec(): void {
  const count = 2048;
  const timestamps = {
    ms: Float64Array.from({ length: count }, (_, i) => 1000 * (T0 + i)),
    ns: new Int32Array(count),
  };
  const numbers = Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 10_007) / 100);
  for (const [name, values] of [
    ['decimals', numbers],
    ['doubles', numbers.map(Math.sin)],
  ] as const) {
    const column = { type: 'float', timestamps, numbers: values } as const;
    const bytes = encodeColumn(column);
    const encode = spent(() => encodeColumn(column));
    const decode = spent(() => decodeColumn(bytes));
    console.log(`codec, ${name}: encodes ${rate(count, encode)}, decodes ${rate(count, decode)}`);
  }
}

function write(engine: PointEngine, body: Uint8Array): Promise<unknown> {
  return engine.write({ database: 'db', kind: 'lines', body, precision: 's', receivedAt: { ms: 0, ns: 0 } });
}

/** Milliseconds of one call, as the median of many. */
function spent(work: () => unknown): number {
  const times = Array.from({ length: 400 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[200] as number;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const first = times[0] as number;
  const median = times.sort((a, b) => a - b)[3] as number;
  console.log(`${name}: first ${first.toFixed(1)} ms, median ${median.toFixed(1)} ms`);
}

function rate(values: number, ms: number): string {
  return `${(values / ms / 1000).toFixed(2)} million/s`;
}
