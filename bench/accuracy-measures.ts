// Whether two measures keep the level of one: simulated comparisons with a known truth, through all of the program but the processes.
// Run: node dist/bench/accuracy-measures.js [comparisons a row] [seed]. Exit code 1 when a row has more false alarms than it may.

import { compareCommands } from '../src/duet/app/compare-commands.ts';
import type { CompareRequest } from '../src/duet/app/compare-request.ts';
import type { CommandTimer, Timing } from '../src/duet/core/command-timer.ts';
import type { Comparison } from '../src/duet/core/comparison.ts';
import systemClock from '../src/platform/adapters/system-clock.ts';
import { seededRandom } from '../src/stats/random.ts';
import { normalSource } from './accuracy/normal.ts';
import { percent, printTable } from './accuracy/table.ts';

const [COMPARISONS = 2000, SEED = 1] = process.argv.slice(2).map(Number);
const LEVEL = 0.95;
const EFFECT = 1.05;

/** Deviations of the log ratio of a pair, as seen with real programs (bench/measures.ts), and what the two have in common. */
interface World {
  readonly name: string;
  readonly wall: number;
  readonly cpu: number;
  readonly correlation: number;
  readonly tails: 'light' | 'heavy';
}

const WORLDS: readonly World[] = [
  { name: 'quiet machine', wall: 0.02, cpu: 0.018, correlation: 0.95, tails: 'light' },
  { name: 'some load', wall: 0.045, cpu: 0.028, correlation: 0.5, tails: 'light' },
  { name: 'busy machine', wall: 0.12, cpu: 0.015, correlation: 0, tails: 'light' },
  { name: 'busy machine, heavy tails', wall: 0.12, cpu: 0.015, correlation: 0, tails: 'heavy' },
  { name: 'opposed', wall: 0.05, cpu: 0.05, correlation: -0.9, tails: 'light' },
];
const PLANS = [
  { pairs: 10, stop: 'never' },
  { pairs: 40, stop: 'never' },
  { pairs: 40, stop: 'when-decided' },
] as const;

const rows: string[][] = [];
let missed = 0;
for (const world of WORLDS) {
  for (const plan of PLANS) {
    const same = await compareMany(world, plan, 1);
    const slower = await compareMany(world, plan, EFFECT);
    const alarms = share(same, isDifferent);
    const limit = 1 - LEVEL + 2 * Math.sqrt((LEVEL * (1 - LEVEL)) / COMPARISONS);
    if (alarms > limit) missed++;
    rows.push([
      world.name,
      `${plan.pairs}${plan.stop === 'never' ? '' : ', looks'}`,
      percent(alarms),
      percent(share(same, (one) => isDifferent(one) && one.decidedBy === 'cpu')),
      percent(share(slower, isSlower)),
      percent(share(slower, (one) => isSlower(one) && one.decidedBy === 'cpu')),
      percent(share(await compareMany(world, plan, EFFECT, 'wall'), isSlower)),
      (slower.reduce((sum, one) => sum + one.sides.A.times.length, 0) / slower.length).toFixed(1),
    ]);
  }
}
printTable(
  `wall time, and CPU time behind it; level 95 %, ${COMPARISONS} comparisons a row, seed ${SEED}`,
  [
    'world',
    'pairs',
    'false alarms',
    'by CPU time',
    '5 % found',
    'by CPU time',
    'found by wall alone',
    'pairs run',
  ],
  rows,
);
if (missed > 0) {
  console.log(`\nmissed: ${missed} rows have more false alarms than 5 % and two standard errors`);
  process.exitCode = 1;
}

async function compareMany(
  world: World,
  { pairs, stop }: (typeof PLANS)[number],
  ratio: number,
  measure: 'auto' | 'wall' = 'auto',
): Promise<readonly Comparison[]> {
  const side = (name: string) => ({ name, command: name, argv: [name] as const, cwd: '/', env: {} });
  const found: Comparison[] = [];
  for (let index = 0; index < COMPARISONS; index++) {
    const seed = SEED * 1_000_003 + index;
    const request: CompareRequest = {
      ...{ sides: { A: side('A'), B: side('B') }, parameters: {}, mode: 'together', warmup: 1 },
      ...{ count: { type: 'exact', pairs }, stop, level: LEVEL, minEffect: 0.01, measure, seed },
      ...{ ignoreFailure: false, output: 'null', notes: [] },
    };
    const signal = new AbortController().signal;
    const timer = simulatedTimer(world, ratio, seed);
    found.push(await compareCommands(request, { timer, clock: systemClock, signal, notify: () => {} }));
  }
  return found;
}

/** Commands of 100 ms that only compute; CPU time is counted in milliseconds from the start of the worker, as bash does. */
function simulatedTimer({ wall, cpu, correlation, tails }: World, ratio: number, seed: number): CommandTimer {
  const normal = normalSource(seededRandom(seed));
  const draw = () => (tails === 'heavy' ? normal.studentOfThree() : normal.next());
  const usedMs = { A: 0, B: 0 };
  const timing = (side: 'A' | 'B', wallLog: number, cpuLog: number): Timing => {
    const factor = side === 'B' ? ratio : 1;
    const wallNs = 100e6 * factor * Math.exp(wallLog);
    const before = Math.floor(usedMs[side]);
    usedMs[side] += 98 * factor * Math.exp(cpuLog);
    const cpuNs = (Math.floor(usedMs[side]) - before) * 1e6;
    return {
      ...{ exit: { type: 'code', code: 0 }, wallNs, startedAtNs: 0n, tail: '', userNs: cpuNs, systemNs: 0 },
      ...{ cpuStepNs: 1e6, runnable: 0.98, measures: { wall: wallNs / 1e9, cpu: cpuNs / 1e9 } },
    };
  };
  return {
    cores: async () => [[0], [1]],
    counters: async () => ({ counters: [] }),
    open: async () => ({
      leftRunning: () => 0,
      close: async () => {},
      run: async (commands) =>
        commands.map(({ argv: [name] }) => {
          // Each side has half of the variance of the ratio.
          const first = draw();
          const second = correlation * first + Math.sqrt(1 - correlation ** 2) * draw();
          return timing(name as 'A' | 'B', (first * wall) / Math.SQRT2, (second * cpu) / Math.SQRT2);
        }),
    }),
  };
}

function isDifferent({ judgement: { verdict } }: Comparison): boolean {
  return verdict === 'slower' || verdict === 'faster';
}

function isSlower({ judgement: { verdict } }: Comparison): boolean {
  return verdict === 'slower';
}

function share(comparisons: readonly Comparison[], is: (one: Comparison) => boolean): number {
  return comparisons.filter(is).length / comparisons.length;
}
