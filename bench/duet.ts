// What a run costs, and what it is told to have taken, against hyperfine -N in the same rounds.
// Usage: node dist/bench/duet.js [runs] [rounds]
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNS = Number(process.argv[2] ?? 1000);
const ROUNDS = Number(process.argv[3] ?? 5);
const MAIN = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const COMMANDS: readonly (readonly [command: string, share: number])[] = [
  ['true', 1],
  ['sleep 0.02', 0.06],
  ["awk 'BEGIN { for (i = 0; i < 60000; i++) x += i }'", 0.12],
];

if (spawnSync('hyperfine', ['--version']).status !== 0) {
  throw new Error(
    'hyperfine is missing: apt install hyperfine, brew install hyperfine or cargo install hyperfine',
  );
}

const folder = fs.mkdtempSync(join(tmpdir(), 'nightmark-bench-duet-'));
const MODES = ['--alternate', '--together'] as const;
try {
  for (const [command, share] of COMMANDS) await compare(command, Math.max(10, Math.round(RUNS * share)));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

interface Seen {
  /** Milliseconds of the whole call divided by the runs of it. */
  readonly allIn: number;
  /** The same without what a call with a single run takes: start and end. */
  readonly perRun: number;
  /** Median of the times that it tells, milliseconds. */
  readonly told: number;
}

/** The command against itself: the same number of runs on both sides, by hyperfine and by us in both modes. */
async function compare(command: string, runs: number): Promise<void> {
  const seen: Record<string, Seen[]> = { hyperfine: [], '--alternate': [], '--together': [] };
  for (let round = 0; round < ROUNDS; round++) {
    seen['hyperfine']?.push(await measure('hyperfine', [command, command], runs));
    for (const mode of MODES) {
      const ours = [MAIN, 'duet', command, command, mode, '-q', '--no-fail'];
      seen[mode]?.push(await measure(process.execPath, ours, runs));
    }
  }
  console.log(`\n${command}: ${runs} runs a side, ${ROUNDS} rounds`);
  const peer = seen['hyperfine'] ?? [];
  console.log(
    `  hyperfine  all in ${ms(peer, 'allIn')} a run, without start ${ms(peer, 'perRun')}, told ${ms(peer, 'told')}`,
  );
  for (const mode of MODES) {
    const ours = seen[mode] ?? [];
    const times = (key: 'allIn' | 'perRun') => {
      const ratios = ours.map((one, round) => one[key] / (peer[round]?.[key] ?? Number.NaN));
      return `${ms(ours, key)}, ${median(ratios).toFixed(2)} times hyperfine's (${range(ratios)})`;
    };
    const apart = ours.map(({ told }, round) => told - (peer[round]?.told ?? Number.NaN));
    console.log(`  ${mode.slice(2)}`);
    console.log(`    all in ${times('allIn')}; aim: at most 2`);
    console.log(`    without start ${times('perRun')}`);
    console.log(
      `    told ${ms(ours, 'told')}, ${median(apart).toFixed(3)} ms more (${range(apart)}); aim for runs alone: within 0.5`,
    );
  }
}

async function measure(program: string, args: readonly string[], runs: number): Promise<Seen> {
  const out = join(folder, 'out.json');
  const call = (count: number) =>
    timed(program, [...args, '-N', '-w', '1', '-r', String(count), '--export-json', out]);
  const startMs = await call(1);
  const allMs = await call(runs);
  const { results } = JSON.parse(fs.readFileSync(out, 'utf8')) as { results: { times: number[] }[] };
  return {
    allIn: allMs / (2 * runs),
    perRun: (allMs - startMs) / (2 * (runs - 1)),
    told: median(results.flatMap(({ times }) => times)) * 1000,
  };
}

async function timed(program: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let talk = '';
  child.stderr.on('data', (chunk) => {
    talk += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${talk}`);
  return performance.now() - began;
}

function ms(seen: readonly Seen[], key: keyof Seen): string {
  return `${median(seen.map((one) => one[key])).toFixed(3)} ms`;
}

function range(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
