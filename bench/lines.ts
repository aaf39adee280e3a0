import { readLines } from '../src/metrics/core/lines/read-lines.ts';
import { ColumnRegistry } from '../src/metrics/core/series/column-registry.ts';

/**
 * Reading line protocol, against a reader that splits strings and keeps a Map of series; in turns. Rates are per second
 * of processor time, which other work on the machine disturbs less.
 */
const lines = Number(process.argv[2] ?? 500_000);
const rounds = Number(process.argv[3] ?? 5);

const SHAPES: Record<string, (i: number) => string> = {
  'one field, three tags': (i) =>
    `training_loss,host=node${i % 10},job_id=job${i % 1000},user=me value=${(i % 977) / 1000} ${1_700_000_000_000_000_000n + BigInt(i) * 1_000_000n}`,
  'as pytelegraf sends': (i) => `accuracy,job_id=job${i % 1000} value=${(i % 977) / 1000}`,
  'four fields': (i) =>
    `cpu,host=node${i % 100} user=${i % 100}.5,system=${i % 7}i,idle=${i % 99}.25,ok=true ${1_700_000_000_000_000_000n + BigInt(i) * 1_000_000n}`,
};

for (const [name, shape] of Object.entries(SHAPES)) {
  const bytes = Buffer.from(`${Array.from({ length: lines }, (_, i) => shape(i)).join('\n')}\n`);
  const book = new ColumnRegistry();
  const ours: number[] = [];
  const naive: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(rate(() => readOurs(bytes, book)));
    naive.push(rate(() => readBySplitting(bytes)));
  }
  const told = (rates: number[]) => `${(median(rates) / 1e6).toFixed(2)} million lines/s`;
  const ratio = (median(ours) / median(naive)).toFixed(1);
  console.log(
    `${name} (${Math.round(bytes.length / lines)} bytes): ${told(ours)}, by splitting ${told(naive)}; ${ratio} times`,
  );
}

function readOurs(bytes: Uint8Array, book: ColumnRegistry): number {
  const options = { database: 'd', precision: 'n', receivedAt: { ms: 0, ns: 0 } } as const;
  const { lines: count, refusedLines } = readLines(bytes, book, options);
  if (refusedLines > 0) throw new Error(`${refusedLines} lines were refused`);
  return count;
}

function readBySplitting(bytes: Uint8Array): number {
  const series = new Map<string, { times: bigint[]; values: number[] }>();
  let count = 0;
  for (const line of Buffer.from(bytes).toString().split('\n')) {
    if (line === '') continue;
    const [head = '', fields = '', time = '0'] = line.split(' ');
    for (const field of fields.split(',')) {
      const [key = '', value = ''] = field.split('=');
      const name = `${head} ${key}`;
      const its = series.get(name) ?? { times: [], values: [] };
      series.set(name, its);
      its.times.push(BigInt(time));
      its.values.push(value === 'true' ? 1 : Number.parseFloat(value));
    }
    count++;
  }
  return count;
}

function rate(read: () => number): number {
  const before = process.cpuUsage();
  const count = read();
  const { user, system } = process.cpuUsage(before);
  return (count * 1e6) / (user + system);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
