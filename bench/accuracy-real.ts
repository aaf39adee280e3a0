// Real processes on a machine that is busy in bursts: comparisons of a command with itself, and with one that does 2 %
// more work, together and one after another.
// Run: node dist/bench/accuracy-real.js [comparisons with itself] [comparisons with 2 %] [most pairs of these]

import { processTimer } from '../src/duet/adapters/timer/process-timer.ts';
import { compareCommands } from '../src/duet/app/compare-commands.ts';
import type { CommandSide, CompareRequest } from '../src/duet/app/compare-request.ts';
import type { Comparison, PairMode } from '../src/duet/core/comparison.ts';
import systemClock from '../src/platform/adapters/system-clock.ts';
import { mean, median } from '../src/stats/summary.ts';
import type { Verdict } from '../src/stats/verdict.ts';
import { startLoad } from './accuracy/load.ts';
import { percent, printTable } from './accuracy/table.ts';

const [equal = 200, different = 10, most = 4000] = process.argv.slice(2).map(Number);
const EQUAL_PAIRS = 12;
const LEVEL = 0.95;
const CORES = [0, 1];
const SLOWER = 1.02;

const started = performance.now();
const seed = 3;
let load = startLoad(CORES, seed, { phaseMs: 1500, grainMs: 6 });
const same = await compareMany(equal, { work: 400_000, factor: 1, pairs: EQUAL_PAIRS, stop: 'never' });
load.stop();
// These last for many seconds a side: so do the phases, or they would be the same for both. What is taken away is small
// against a run, so that it grows with the work: a robust centre sees little of what hits one run in a hundred.
load = startLoad(CORES, seed, { phaseMs: 10_000, grainMs: 2 });
// Short ones: cores of a shared host are slow for longer than a run lasts, so that many runs say more than long ones.
const slower = await compareMany(different, {
  work: 150_000,
  factor: SLOWER,
  pairs: most,
  stop: 'when-decided',
});
load.stop();
print([
  ['with itself, together', 1, same.together],
  ['with itself, one after another', 1, same.after],
  ['2 % more work, together', SLOWER, slower.together],
  ['2 % more work, one after another', SLOWER, slower.after],
]);
judgeAims(same.together, slower.together, slower.after);

interface Contest {
  /** Rounds of counting of A. */
  readonly work: number;
  /** Work of B, that of A being 1. */
  readonly factor: number;
  readonly pairs: number;
  readonly stop: CompareRequest['stop'];
}

/** Together, and at once after it one after another with as many runs of either side as that took. */
async function compareMany(count: number, contest: Contest) {
  const together: Comparison[] = [];
  const after: Comparison[] = [];
  for (let index = 0; index < count; index++) {
    const duet = await compare('together', index, contest);
    together.push(duet);
    after.push(
      await compare('one-after-another', index, {
        ...contest,
        pairs: duet.sides.A.times.length,
        stop: 'never',
      }),
    );
    const told = [together.at(-1), after.at(-1)].map(
      (each) => `${each?.judgement.verdict} ${each?.judgement.effect?.ratio.toFixed(4)}`,
    );
    console.error(`${index + 1} of ${count}: together ${told[0]}, one after another ${told[1]}`);
  }
  return { together, after };
}

async function compare(
  mode: PairMode,
  seed: number,
  { work, factor, pairs, stop }: Contest,
): Promise<Comparison> {
  const request: CompareRequest = {
    sides: { A: spin('A', work), B: spin('B', Math.round(work * factor)) },
    parameters: {},
    mode,
    count: { type: 'exact', pairs },
    warmup: 1,
    stop,
    level: LEVEL,
    minEffect: 0.01,
    seed,
    ignoreFailure: false,
    cores: [[0], [1]],
    output: 'null',
    notes: [],
  };
  const signal = new AbortController().signal;
  return compareCommands(request, { timer: processTimer, clock: systemClock, signal, notify: () => {} });
}

/** Nothing but counting. */
function spin(name: string, rounds: number): CommandSide {
  const program = `BEGIN { for (i = 0; i < ${rounds}; i++) s += i }`;
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  return { name, command: `awk '${program}'`, argv: ['awk', program], cwd: process.cwd(), env };
}

function print(groups: readonly (readonly [string, number, readonly Comparison[]])[]): void {
  const measured = groups.filter(([, , comparisons]) => comparisons.length > 0);
  const rows = measured.map(([name, factor, comparisons]) => {
    const share = (...verdicts: readonly Verdict[]) => percent(shareOf(comparisons, verdicts));
    const widths = comparisons.map(({ judgement: { effect } }) =>
      effect ? effect.high - effect.low : Number.NaN,
    );
    const ratios = comparisons.map(({ judgement: { effect } }) => effect?.ratio ?? Number.NaN);
    const times = comparisons.flatMap(({ sides }) => sides.A.times);
    return [
      name,
      String(comparisons.length),
      mean(comparisons.map(({ sides }) => sides.A.times.length)).toFixed(0),
      share('slower'),
      share('faster'),
      share('same'),
      share('undecided'),
      factor === 1 ? '' : percent(comparisons.filter(isRight).length / comparisons.length),
      median(ratios).toFixed(4),
      percent(median(widths)),
      `${(mean(times) * 1000).toFixed(1)} ms`,
    ];
  });
  const header = [
    '',
    'comparisons',
    'pairs',
    'slower',
    'faster',
    'same',
    'undecided',
    'right',
    'ratio',
    'width',
    'time of A',
  ];
  printTable('awk counting on two cores, busy in bursts; level 95 %, smallest effect 1 %', header, rows);
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

/** Slower, and by an amount that can be: starting the process is a part of its time that does not grow. */
function isRight({ judgement: { verdict, effect } }: Comparison): boolean {
  return (
    verdict === 'slower' && effect !== undefined && effect.low < SLOWER && effect.high > 1 + (SLOWER - 1) / 2
  );
}

function shareOf(comparisons: readonly Comparison[], verdicts: readonly Verdict[]): number {
  return (
    comparisons.filter(({ judgement }) => verdicts.includes(judgement.verdict)).length / comparisons.length
  );
}

/** At most the nominal rate plus two standard errors of as many comparisons; the slowdown is found by duets, and only by them. */
function judgeAims(
  same: readonly Comparison[],
  slower: readonly Comparison[],
  slowerAfter: readonly Comparison[],
): void {
  const alarms = shareOf(same, ['slower', 'faster']);
  const limit = 1 - LEVEL + 2 * Math.sqrt((LEVEL * (1 - LEVEL)) / same.length);
  const missed = [
    same.length > 0 && alarms > limit && `false alarms ${percent(alarms)}, aim at most ${percent(limit)}`,
    slower.filter(isRight).length < 0.8 * slower.length && '2 % more work is not found in four of five duets',
    slowerAfter.filter(isRight).length > 0.5 * slowerAfter.length &&
      '2 % more work is found one after another as well: too little noise',
  ].filter((line) => line !== false);
  for (const line of missed) console.log(`missed: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
}
