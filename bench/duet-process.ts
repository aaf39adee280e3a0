// Processing and analysing a million iterations, against a pandas script that does the same steps (bench/peer/duet-pandas.py:
// read all files, write the table, pair by overlap, a mean for each run). Both alternate as processes of their own.
// Run: node dist/bench/duet-process.js [iterations] [rounds]; needs python3 with pandas (NIGHTMARK_BENCH_PYTHON).

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/stats/random.ts';
import { median } from '../src/stats/summary.ts';

const ITERATIONS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const PER_FILE = 100;
const RUNS = 20;
const PYTHON = process.env['NIGHTMARK_BENCH_PYTHON'] ?? '/usr/bin/python3';
/** Prints the peak of the process that it is loaded into. */
const PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))';
const MAIN = 'dist/src/cli/nightmark.cjs';

const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-duet-'));
try {
  const dir = join(root, 'results');
  makeResults(dir, Math.ceil(ITERATIONS / PER_FILE));
  const hasAnalysis = !ours(['duet', 'analyze', '--help']).stdout.includes('[words...]');
  if (!hasAnalysis)
    console.log('There is no "duet analyze" yet: both only read the results and write the table.');
  measure(dir, hasAnalysis);
} finally {
  rmSync(root, { recursive: true });
}

function measure(dir: string, hasAnalysis: boolean): void {
  const [table, peerTable] = [join(root, 'ours.csv'), join(root, 'theirs.csv')];
  const steps = [
    ['duet', 'process', dir, '-o', table],
    ...(hasAnalysis ? [['duet', 'analyze', table, '--no-fail']] : []),
  ];
  const sides = {
    ours: () => Math.max(...steps.map((step) => ours(step).peakKib)),
    pandas: () => pandas([dir, peerTable, ...(hasAnalysis ? [] : ['--no-pairs'])]),
  };
  const seconds: Record<keyof typeof sides, number[]> = { ours: [], pandas: [] };
  const peaks: Record<keyof typeof sides, number> = { ours: 0, pandas: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? (['ours', 'pandas'] as const) : (['pandas', 'ours'] as const)) {
      const start = performance.now();
      peaks[side] = Math.max(peaks[side], sides[side]());
      seconds[side].push((performance.now() - start) / 1000);
    }
  }
  const ratios = seconds.pandas
    .map((it, round) => it / (seconds.ours[round] ?? Number.NaN))
    .sort((a, b) => a - b);
  for (const side of ['ours', 'pandas'] as const) {
    const all = seconds[side].map((it) => it.toFixed(1)).join(', ');
    console.log(`${side}: ${all} s, peak memory ${Math.round(peaks[side] / 1024)} MiB`);
  }
  console.log(
    `${ITERATIONS.toLocaleString('en')} iterations: pandas takes ${median(ratios).toFixed(1)} times as long ` +
      `(${ratios[0]?.toFixed(1)} to ${ratios.at(-1)?.toFixed(1)}, ${ROUNDS} rounds; aim: at least 5)`,
  );
}

function ours(args: readonly string[]): { readonly stdout: string; readonly peakKib: number } {
  const ran = spawnSync(process.execPath, ['--import', PEAK, MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  // 2 and 3 are verdicts, not failures.
  if (![0, 2, 3].includes(ran.status ?? -1)) throw new Error(`${args.join(' ')}: ${ran.stderr}`);
  return { stdout: ran.stdout, peakKib: Number(/peak (\d+)/.exec(ran.stderr)?.[1]) };
}

function pandas(args: readonly string[]): number {
  const ran = spawnSync(PYTHON, ['bench/peer/duet-pandas.py', ...args], { encoding: 'utf8' });
  if (ran.status !== 0)
    throw new Error(`${PYTHON} could not run the peer: ${ran.error?.message ?? ran.stderr}`);
  const { rows, maxRssKib } = JSON.parse(ran.stdout) as { rows: number; maxRssKib: number };
  if (rows < ITERATIONS) throw new Error(`The peer read ${rows} rows only.`);
  return maxRssKib;
}

/** Half of the benchmarks as Renaissance writes them, half as DaCapo does; A and B overlap as real duets do. */
function makeResults(dir: string, files: number): void {
  const random = seededRandom(3);
  const artifacts = {
    date: 'Sun Nov 15 19:05:57 UTC 2026',
    hostname: 'bench',
    uname: 'Linux bench 6.1.0 x86_64',
  };
  mkdirSync(join(dir, 'artifacts'), { recursive: true });
  for (const [name, text] of Object.entries(artifacts))
    writeFileSync(join(dir, 'artifacts', name), `${text}\n`);
  for (let file = 0; file < files; file++) {
    const benchmark = `b${Math.floor(file / (2 * RUNS))}`;
    const pair = file % 2 === 0 ? 'A' : 'B';
    const runid = Math.floor(file / 2) % RUNS;
    const startMs = 1_794_769_500_000 + Math.floor(file / 2) * 100_000 + Math.floor(random() * 100);
    const isJson = Math.floor(file / (2 * RUNS)) % 2 === 1;
    const times = Array.from({ length: PER_FILE }, () => 200_000_000 + Math.floor(random() * 50_000_000));
    const suite = isJson ? 'renaissance' : 'dacapo';
    const name = `${suite}.${benchmark}.${runid}.duet.AB.${pair}.results.${isJson ? 'json' : 'csv'}`;
    writeFileSync(
      join(dir, name),
      isJson ? renaissance(benchmark, startMs, times) : dacapo(benchmark, startMs, times),
    );
  }
}

function renaissance(benchmark: string, startMs: number, times: readonly number[]): string {
  let uptime = 5_000_000;
  const results = times.map((time) => {
    const result = { duration_ns: time, uptime_ns: uptime };
    uptime += time + 500_000;
    return result;
  });
  const environment = { vm: { start_unix_ms: startMs } };
  return JSON.stringify({
    format_version: 6,
    benchmarks: [benchmark],
    environment,
    data: { [benchmark]: { results } },
  });
}

function dacapo(benchmark: string, startMs: number, times: readonly number[]): string {
  let atMs = 5;
  const rows = times.map((time) => {
    const row = `${benchmark},${atMs},${time},${startMs + atMs}`;
    atMs += Math.ceil(time / 1e6);
    return row;
  });
  return `benchmark,total_ms,iteration_time_ns,start_unix\n${rows.join('\n')}\n`;
}
