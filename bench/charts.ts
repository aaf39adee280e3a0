// How long charts take to draw, as SVG and as PNG, beside matplotlib where /usr/bin/python3 has it.
// Usage: node dist/bench/charts.js [charts] [rounds]

import { spawnSync } from 'node:child_process';
import { resvg } from '../src/charts/adapters/resvg.ts';
import type { Chart } from '../src/charts/core/chart.ts';
import { chartSvg } from '../src/charts/core/chart-svg.ts';

const CHARTS = Number(process.argv[2] ?? 100);
const ROUNDS = Number(process.argv[3] ?? 3);

const numbers = (count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => value(index));
const lines = (points: number, series: number): Chart => ({
  type: 'lines',
  title: `${series} lines of ${points} points`,
  x: { label: 'users' },
  y: { label: 'latency', unit: 's', startsAtZero: true },
  series: numbers(series, (index) => index).map((index) => {
    const y = numbers(points, (point) => 1 + index + Math.sin(point * 1.7) / 3);
    const side = (sign: number) => y.map((value) => value + sign * 0.2);
    return { name: `model m${index}`, x: numbers(points, (point) => point), y, low: side(-1), high: side(1) };
  }),
});
const bars: Chart = {
  type: 'bars',
  title: '3 groups of 8 bars',
  x: { label: 'model', categories: numbers(8, (index) => index).map((index) => `m${index}`) },
  y: { label: 'throughput', unit: 'req/s' },
  series: ['4', '16', '64'].map((name) => ({ name, values: numbers(8, (index) => index * 3 + 5) })),
};
const KINDS: Readonly<Record<string, Chart>> = {
  'lines 3 x 20': lines(20, 3),
  'bars 3 x 8': bars,
  'lines 1 x 10,000': lines(10_000, 1),
};

/** The same simple chart, in one warm process: its start is not counted. */
const PEER = `
import io, sys, time
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
def draw():
    figure, axes = plt.subplots(figsize=(9.6, 5.2), dpi=100)
    for k in range(3):
        y = [1 + k + (i * 7 % 5) / 9 for i in range(20)]
        axes.plot(range(20), y, marker='o', label=f'model m{k}')
        axes.fill_between(range(20), [v - .2 for v in y], [v + .2 for v in y], alpha=.2)
    axes.set_title('3 lines of 20 points'); axes.set_xlabel('users'); axes.set_ylabel('latency [s]'); axes.legend(); axes.grid()
    figure.savefig(io.BytesIO(), format='png')
    plt.close(figure)
draw()
times = []
for _ in range(int(sys.argv[1])):
    start = time.perf_counter(); draw(); times.append((time.perf_counter() - start) * 1000)
print(sorted(times)[len(times) // 2])
`;

const hasPeer = spawnSync('/usr/bin/python3', ['-c', 'import matplotlib']).status === 0;
if (!hasPeer) console.log('No peer: "apt install python3-matplotlib" to compare with it.');
for (let round = 1; round <= ROUNDS; round++) {
  console.log(`round ${round}`);
  for (const [name, chart] of Object.entries(KINDS)) await measure(name, chart);
  if (hasPeer) console.log(`  matplotlib, lines 3 x 20     PNG ${peerMs().toFixed(1)} ms`);
}

async function measure(name: string, chart: Chart): Promise<void> {
  const [svgTimes, pngTimes]: [number[], number[]] = [[], []];
  for (let count = 0; count < CHARTS; count++) {
    const start = performance.now();
    const svg = chartSvg(chart, { theme: 'light' });
    const drawn = performance.now();
    await resvg.png(svg);
    svgTimes.push(drawn - start);
    pngTimes.push(performance.now() - drawn);
  }
  console.log(
    `  ${name.padEnd(28)} SVG ${median(svgTimes).toFixed(2)} ms, PNG ${median(pngTimes).toFixed(1)} ms more`,
  );
}

function peerMs(): number {
  const { stdout } = spawnSync('/usr/bin/python3', ['-c', PEER, String(Math.min(20, CHARTS))], {
    encoding: 'utf8',
  });
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
