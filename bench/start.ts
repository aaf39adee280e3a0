import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What a start of the program costs: commands that do next to nothing, in turns with a bare Node.
// Usage: node dist/bench/start.js [rounds]
const rounds = Number(process.argv[2] ?? 15);
const START = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const base = mkdtempSync(join(tmpdir(), 'nightmark-start-'));
const home = join(base, 'home');

const BARE = 'node -e 0';
const COMMANDS: readonly (readonly [name: string, args: readonly string[]])[] = [
  [BARE, ['-e', '0']],
  ['nightmark --version', [START, '--version']],
  ['nightmark --help', [START, '--help']],
  ['nightmark job list', [START, 'job', 'list', '--home', home]],
  ['nightmark status HOME', [START, 'status', home]],
  ['nightmark run --help', [START, 'run', '--help']],
];

interface Cost {
  readonly wallMs: number[];
  readonly cpuMs: number[];
}

try {
  prepare();
  const costs = new Map<string, Cost>(COMMANDS.map(([name]) => [name, { wallMs: [], cpuMs: [] }]));
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up: files into memory.
    for (const [name, args] of COMMANDS)
      if (round > 0) measure(args, costs.get(name) as Cost);
      else measure(args, { wallMs: [], cpuMs: [] });
  }
  print(costs);
} finally {
  rmSync(base, { recursive: true });
}

function prepare(): void {
  for (const args of [
    ['init', home],
    ['job', 'submit', '--home', home, '--', 'true'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [START, ...args], { encoding: 'utf8', cwd: base });
    if (status !== 0) throw new Error(stderr);
  }
}

function measure(args: readonly string[], { wallMs, cpuMs }: Cost): void {
  // `times` of the shell is exact to a millisecond and counts this one child only.
  const script = '"$@" >/dev/null 2>&1; times';
  const began = performance.now();
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    encoding: 'utf8',
  });
  wallMs.push(performance.now() - began);
  const ofChildren = stdout.trim().split('\n')[1] ?? '';
  const parts = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
  cpuMs.push(
    parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0),
  );
}

function print(costs: ReadonlyMap<string, Cost>): void {
  const bare = costs.get(BARE) as Cost;
  for (const [name, { wallMs, cpuMs }] of costs) {
    const cpu = `${median(cpuMs).toFixed(0)} ms of CPU (${(median(cpuMs) / median(bare.cpuMs)).toFixed(2)})`;
    const wall = `${median(wallMs).toFixed(0)} ms (${(median(wallMs) / median(bare.wallMs)).toFixed(2)})`;
    console.log(`${name.padEnd(24)} ${cpu}, on the clock ${wall}`);
  }
  console.log(`Medians of ${rounds} rounds; in brackets times a bare Node.`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
