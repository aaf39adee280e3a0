// How much our reading costs beside a bare parser. Both alternate in one process, and who goes first
// changes each round, so that heat, garbage and neighbours fall on both. Run: node dist/bench/formats.js [rounds]

import { parse } from 'csv-parse/sync';
import csv from '../src/formats/adapters/csv/csv.ts';
import hyperfine from '../src/formats/adapters/hyperfine/hyperfine.ts';
import { median } from '../src/stats/summary.ts';

const ROWS = 200_000;
const TIMES = 1_000_000;
const rounds = Number(process.argv[2] ?? 7);

const table = csvText();
compare('csv, 200,000 rows of 5 columns', ROWS, {
  ours: () => count(csv.read(table, {}).samples),
  // Four of the five columns are numbers: the bare parser only has to deliver the cells.
  bare: () => (parse(table, { skip_empty_lines: true }).length - 1) * 4,
});

const export_ = hyperfineText();
compare('hyperfine, 1,000,000 times', TIMES, {
  ours: () => count(hyperfine.read(export_, {}).samples),
  bare: () => (JSON.parse(export_) as { results: { times: number[] }[] }).results[0]?.times.length ?? 0,
});

interface Contest {
  ours(): number;
  bare(): number;
}

function compare(title: string, rows: number, { ours, bare }: Contest): void {
  const oursMs: number[] = [];
  const bareMs: number[] = [];
  const sides = [
    { run: ours, ms: oursMs },
    { run: bare, ms: bareMs },
  ];
  const expected = bare();
  for (let round = -1; round < rounds; round++) {
    for (const { run, ms } of round % 2 === 0 ? sides : [...sides].reverse()) {
      const start = performance.now();
      if (run() !== expected) throw new Error(`${title}: not every value was read`);
      if (round >= 0) ms.push(performance.now() - start); // round -1 warms up
    }
  }
  const ratios = oursMs.map((ms, round) => ms / (bareMs[round] ?? Number.NaN)).sort((a, b) => a - b);
  const perSecond = (ms: number[]) => Math.round((rows / median(ms)) * 1000).toLocaleString('en');
  console.log(
    `${title}: ours ${perSecond(oursMs)} rows/s, bare parser ${perSecond(bareMs)} rows/s; ` +
      `time ratio ${median(ratios).toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}, ${rounds} rounds)`,
  );
}

function count(samples: readonly { readonly values: readonly number[] }[]): number {
  return samples.reduce((sum, { values }) => sum + values.length, 0);
}

function csvText(): string {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    return `bench-${index % 50},${index},${(index * 7919) % 1000},${index / 1000},${1 / (index + 1)}`;
  });
  return `name,iteration,count,seconds,loss\n${rows.join('\n')}\n`;
}

function hyperfineText(): string {
  const times = Array.from({ length: TIMES }, (_, index) => 0.1 + ((index * 7919) % 10_007) / 1e6);
  const result = { command: 'ls', mean: 0.105, times, exit_codes: times.map(() => 0) };
  return JSON.stringify({ results: [result] });
}
