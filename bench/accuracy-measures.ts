// Whether two measures keep the level of one: simulated comparisons with a known truth, through all of the program but the processes.
// Run: node dist/bench/accuracy-measures.js [comparisons a row] [seed]. Exit code 1 when a row has more false alarms than it may.

import { compareCommands } from '../src/duet/app/compare-commands.ts';
import type { CompareRequest } from '../src/duet/app/compare-request.ts';
import type { Comparison } from '../src/duet/core/comparison.ts';
import systemClock from '../src/platform/adapters/system-clock.ts';
import { type MeasureNoise, simulatedTimer } from '../test/support/simulated-timer.ts';
import { percent, printTable } from './accuracy/table.ts';

const [COMPARISONS = 2000, SEED = 1] = process.argv.slice(2).map(Number);
const LEVEL = 0.95;
const EFFECT = 1.05;

/** As seen with real programs (bench/measures.ts). */
const WORLDS: readonly (MeasureNoise & { readonly name: string })[] = [
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
  world: MeasureNoise,
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

function isDifferent({ judgement: { verdict } }: Comparison): boolean {
  return verdict === 'slower' || verdict === 'faster';
}

function isSlower({ judgement: { verdict } }: Comparison): boolean {
  return verdict === 'slower';
}

function share(comparisons: readonly Comparison[], is: (one: Comparison) => boolean): number {
  return comparisons.filter(is).length / comparisons.length;
}
