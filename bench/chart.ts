// Graphs per second against matplotlib drawing the same ones: one graph a process, and many in one process.
// Usage: node dist/bench/chart.js [rounds] [graphs]   (needs /usr/bin/python3 with matplotlib, and seaborn for the last line)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChartFile } from '../src/core/chart-file/chart-file.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const GRAPHS = Number(process.argv[3] ?? 100);
const AIMS = { alone: 5, many: 20 };
const PYTHON = '/usr/bin/python3';
const MAIN = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const PEER = join(process.cwd(), 'bench/peer/draw-charts.py');

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
mkdirSync(join(folder, 'out'));
const batch = join(folder, 'batch.ndjson');
writeFileSync(batch, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

const [alone, withSeaborn, many]: number[][] = [[], [], []];
for (let round = 0; round < ROUNDS; round++) {
  const spec = join(folder, `${round % KINDS.length}.json`);
  const one = (output: string) => [spec, join(folder, output)] as const;
  const [file, picture] = one('ours.png');
  const ours = secondsOf(process.execPath, [MAIN, 'chart', file, '-o', picture]);
  const theirs = secondsOf(PYTHON, [PEER, ...one('theirs.png')]);
  const original = hasSeaborn ? secondsOf(PYTHON, [PEER, '--seaborn', ...one('theirs.png')]) : Number.NaN;
  alone?.push(theirs / ours);
  withSeaborn?.push(original / ours);
  const oursEach = (secondsOf(process.execPath, [MAIN, 'chart', '--batch', batch]) - startOf(file)) / GRAPHS;
  const theirsEach = peerEach();
  many?.push(theirsEach / oursEach);
  console.log(
    `round ${round + 1}: one a process ${ms(ours)} against ${ms(theirs)} (with seaborn ${ms(original)}); ` +
      `many ${ms(oursEach)} against ${ms(theirsEach)} each, ${(1 / oursEach).toFixed(0)} and ${(1 / theirsEach).toFixed(0)} graphs/s`,
  );
}

const told = [
  verdict('one graph a process, start included', alone, AIMS.alone),
  verdict('many in one process, start not counted', many, AIMS.many),
];
if (hasSeaborn) verdict('one a process, with the imports of the original (seaborn)', withSeaborn, AIMS.alone);
process.exit(told.every(Boolean) ? 0 : 1);

/** Start, and the one graph that warms both up, are not what many graphs cost. */
function startOf(file: string): number {
  return secondsOf(process.execPath, [MAIN, 'chart', file, '-o', join(folder, 'warm.png'), '--json']);
}

function peerEach(): number {
  const seconds = join(folder, 'seconds');
  secondsOf(PYTHON, [PEER, '--batch', batch, seconds]);
  return Number(readFileSync(seconds, 'utf8')) / GRAPHS;
}

function secondsOf(command: string, words: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  return (performance.now() - start) / 1000;
}

function verdict(what: string, ratios: readonly number[] = [], aim: number): boolean {
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const range = `${sorted[0]?.toFixed(1)} to ${sorted.at(-1)?.toFixed(1)}`;
  console.log(
    `${what}: ${middle.toFixed(1)} times as fast (${range}); aim ${aim}: ${middle >= aim ? 'met' : 'MISSED'}`,
  );
  return middle >= aim;
}

function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(1)} ms`;
}
