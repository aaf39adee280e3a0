// What a run costs, and what it is told to have taken, against hyperfine -N in the same rounds.
// Usage: node dist/bench/duet.js [runs] [rounds]
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNS = Number(process.argv[2] ?? 300);
const ROUNDS = Number(process.argv[3] ?? 5);
const MAIN = join(process.cwd(), 'dist/src/cli/main.js');
const COMMANDS: readonly (readonly [command: string, share: number])[] = [
  ['true', 1],
  ['sleep 0.02', 0.2],
  ["awk 'BEGIN { for (i = 0; i < 60000; i++) x += i }'", 0.4],
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
  /** Median of the times that it tells, milliseconds. */
  readonly told: number;
}

/** The command against itself: the same number of runs on both sides, by hyperfine and by us in both modes. */
async function compare(command: string, runs: number): Promise<void> {
  const seen: Record<string, Seen[]> = { hyperfine: [], '--alternate': [], '--together': [] };
  for (let round = 0; round < ROUNDS; round++) {
    const out = join(folder, 'out.json');
    const common = ['-N', '-w', '1', '-r', String(runs), '--export-json', out, command, command];
    seen['hyperfine']?.push(await measure('hyperfine', common, { runs, out }));
    for (const mode of MODES) {
      const ours = [MAIN, 'duet', ...common, mode, '-q', '--no-fail'];
      seen[mode]?.push(await measure(process.execPath, ours, { runs, out }));
    }
  }
  console.log(`\n${command}: ${runs} runs a side, ${ROUNDS} rounds`);
  const peer = seen['hyperfine'] ?? [];
  console.log(`  hyperfine    all in ${ms(peer, 'allIn')} a run, told ${ms(peer, 'told')}`);
  for (const mode of MODES) {
    const ours = seen[mode] ?? [];
    const ratios = ours.map(({ allIn }, round) => allIn / (peer[round]?.allIn ?? Number.NaN));
    const apart = ours.map(({ told }, round) => told - (peer[round]?.told ?? Number.NaN));
    console.log(
      `  ${mode.slice(2).padEnd(12)} all in ${ms(ours, 'allIn')} a run, told ${ms(ours, 'told')}; ` +
        `${median(ratios).toFixed(2)} times hyperfine's all in (${range(ratios)}; aim: at most 2), ` +
        `told ${median(apart).toFixed(3)} ms apart (${range(apart)}; aim: within 0.5 alone)`,
    );
  }
}

async function measure(
  program: string,
  args: readonly string[],
  { runs, out }: { readonly runs: number; readonly out: string },
): Promise<Seen> {
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let talk = '';
  child.stderr.on('data', (chunk) => {
    talk += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const took = performance.now() - began;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${talk}`);
  const { results } = JSON.parse(fs.readFileSync(out, 'utf8')) as { results: { times: number[] }[] };
  return { allIn: took / (2 * runs), told: median(results.flatMap(({ times }) => times)) * 1000 };
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
