// Graphs per second against matplotlib drawing the same ones: one graph a process, and many in one process.
// Usage: node dist/bench/chart.js [rounds] [graphs]   (needs /usr/bin/python3 with matplotlib, and seaborn for the last line)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChartFile } from '../src/charts/core/file/chart-file.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const GRAPHS = Number(process.argv[3] ?? 100);
/** Processes of each kind in a round. */
const TURNS = 6;
const AIMS = { alone: 4, many: 10 };
const PYTHON = '/usr/bin/python3';
const START = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const PEER = join(process.cwd(), 'bench/peer/draw-charts.py');
const TIMER = join(process.cwd(), 'bench/peer/time-command.py');

const folder = mkdtempSync(join(tmpdir(), 'nightmark-bench-chart-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));
/** The size that matplotlib takes unless told: 6.4 by 4.8 inches of 100 pixels. */
const frame = { width: 640, height: 480, yTitle: 'Mean Inference Time (ms)' };
const KINDS: readonly ChartFile[] = [
  {
    ...frame,
    chart: 'bar',
    title: 'Passes on CPU',
    xTitle: 'Pass',
    bars: list(6, (n) => ({ label: `O${n}`, value: 12.5 * (n + 1) })),
  },
  {
    ...frame,
    chart: 'grouped-bar',
    title: 'Networks on CPU',
    xTitle: 'Network',
    groups: ['Nature DQN', 'VGG-16', 'ResNet-18', 'MobileNet'],
    series: list(4, (n) => ({ label: `framework ${n}`, values: list(4, (k) => 3.3 * (n + 1) * (k + 1)) })),
  },
  {
    ...frame,
    chart: 'line',
    title: '(cpu,resnet-18) over Time',
    xTitle: 'Date of Run',
    series: [
      {
        x: list(60, (n) => new Date(Date.UTC(2026, 0, n + 1)).toISOString()),
        y: list(60, (n) => 30 + Math.sin(n)),
      },
    ],
  },
];

if (spawnSync(PYTHON, ['-c', 'import matplotlib']).status !== 0) {
  console.log('No peer: apt-get install python3-matplotlib python3-seaborn');
  process.exit(0);
}
const hasSeaborn = spawnSync(PYTHON, ['-c', 'import seaborn']).status === 0;

for (const [index, spec] of KINDS.entries())
  writeFileSync(join(folder, `${index}.json`), JSON.stringify(spec));
const lines = list(GRAPHS, (n) => ({
  spec: { ...KINDS[n % KINDS.length], title: `graph ${n}` },
  output: join(folder, `out/${n}.png`),
}));
const batch = join(folder, 'batch.ndjson');
writeFileSync(batch, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

interface Seconds {
  readonly wall: number;
  /** Of all threads: where others work on the machine it says more than the clock on the wall. */
  readonly cpu: number;
}
const KINDS_OF_TIME = ['wall', 'cpu'] as const;
type Ratios = Record<keyof Seconds, number[]>;
const ratios = (): Ratios => ({ wall: [], cpu: [] });
const [alone, withSeaborn, many] = [ratios(), ratios(), ratios()];

for (let round = 0; round < ROUNDS; round++) {
  const spec = join(folder, `${round % KINDS.length}.json`);
  const turns = list(TURNS, (turn) => oneAProcess(round + turn));
  for (const [ours, theirs, old] of turns) {
    note(alone, ours, theirs);
    if (old) note(withSeaborn, ours, old);
  }
  const [oursEach, theirsEach] = [batchEach(spec), peerEach()];
  note(many, oursEach, theirsEach);
  console.log(
    `round ${round + 1}: one a process ${ms(meanOf(turns, 0))} against ${ms(meanOf(turns, 1))}; ` +
      `many ${ms(oursEach)} against ${ms(theirsEach)} each, ${(1 / oursEach.wall).toFixed(0)} and ${(1 / theirsEach.wall).toFixed(0)} graphs/s`,
  );
}

const told = [
  verdict('one graph a process, start included', alone, AIMS.alone),
  verdict('many in one process, start not counted', many, AIMS.many),
];
if (hasSeaborn) verdict('one a process, with the imports of the original (seaborn)', withSeaborn, AIMS.alone);
process.exit(told.every(Boolean) ? 0 : 1);

function note(to: Ratios, ours: Seconds, theirs: Seconds): void {
  for (const kind of KINDS_OF_TIME) to[kind].push(theirs[kind] / ours[kind]);
}

type Turn = readonly [ours: Seconds, theirs: Seconds, withSeaborn?: Seconds];

/** A process takes so short that one alone tells more of the machine than of itself: many of each, one after the other. */
function oneAProcess(turn: number): Turn {
  const spec = join(folder, `${turn % KINDS.length}.json`);
  const file = (name: string) => join(folder, `${name}.png`);
  const ours = secondsOf(process.execPath, [START, 'chart', spec, '-o', file('ours')]);
  const theirs = secondsOf(PYTHON, [PEER, spec, file('theirs')]);
  if (!hasSeaborn) return [ours, theirs];
  return [ours, theirs, secondsOf(PYTHON, [PEER, '--seaborn', spec, file('old')])];
}

function meanOf(turns: readonly Turn[], place: 0 | 1): Seconds {
  const mean = (kind: keyof Seconds) =>
    turns.reduce((sum, turn) => sum + turn[place][kind], 0) / turns.length;
  return { wall: mean('wall'), cpu: mean('cpu') };
}

/** Start, and the one graph that warms both up, are not what many graphs cost. */
function batchEach(spec: string): Seconds {
  emptyOut();
  const all = secondsOf(process.execPath, [START, 'chart', '--batch', batch]);
  const one = secondsOf(process.execPath, [START, 'chart', spec, '-o', join(folder, 'warm.png'), '--json']);
  return { wall: (all.wall - one.wall) / GRAPHS, cpu: (all.cpu - one.cpu) / GRAPHS };
}

function peerEach(): Seconds {
  emptyOut();
  const file = join(folder, 'seconds');
  secondsOf(PYTHON, [PEER, '--batch', batch, file]);
  const { wall, cpu } = JSON.parse(readFileSync(file, 'utf8')) as Seconds;
  return { wall: wall / GRAPHS, cpu: cpu / GRAPHS };
}

/** A night draws new files. To replace one, some file systems first write it out to the disk, which is not what is measured. */
function emptyOut(): void {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  mkdirSync(join(folder, 'out'));
}

/** From start to end, measured by a process that is small: to start a child from a large one takes some milliseconds longer. */
function secondsOf(command: string, words: readonly string[]): Seconds {
  const { stdout, stderr } = spawnSync(PYTHON, [TIMER], {
    input: JSON.stringify([command, ...words]),
    encoding: 'utf8',
  });
  const { wall, cpu, status } = JSON.parse(stdout) as Seconds & { readonly status: number };
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  return { wall, cpu };
}

function verdict(what: string, measured: Ratios, aim: number): boolean {
  const told = KINDS_OF_TIME.map((kind) => {
    const sorted = measured[kind].toSorted((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    // Most of them: in a turn in which something else happens on the machine either side may look bad.
    const [low, high] = [0.1, 0.9].map((share) => sorted[Math.round((sorted.length - 1) * share)]);
    return { kind, middle, range: `${low?.toFixed(1)} to ${high?.toFixed(1)}` };
  });
  const isMet = (told[0]?.middle ?? 0) >= aim;
  const numbers = told.map(({ kind, middle, range }) => `${middle.toFixed(1)} by ${kind} (${range})`);
  console.log(`${what}: times as fast: ${numbers.join(', ')}; aim ${aim}: ${isMet ? 'met' : 'MISSED'}`);
  return isMet;
}

function ms({ wall, cpu }: Seconds): string {
  return `${(wall * 1000).toFixed(1)} ms (${(cpu * 1000).toFixed(1)} of CPU)`;
}
