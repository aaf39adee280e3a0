// Real processes on a machine that is busy in bursts: comparisons of a command with itself, and with one that does 2 %
// more work. Run: node dist/bench/accuracy-real.js [comparisons with itself] [comparisons with 2 %] [pairs of these]
import systemClock from '../src/adapters/clocks/system/index.ts';
import processTimer from '../src/adapters/timers/process/index.ts';
import { compareCommands } from '../src/app/duet/compare-commands.ts';
import type { CommandSide, CompareRequest } from '../src/app/duet/compare-request.ts';
import type { Comparison, PairMode } from '../src/core/model/comparison.ts';
import type { Verdict } from '../src/core/model/verdict.ts';
import { mean, median } from '../src/core/stats/summary.ts';
import { startLoad } from './accuracy/load.ts';
import { percent, printTable } from './accuracy/table.ts';

const [equal = 200, different = 10, pairs = 300] = process.argv.slice(2).map(Number);
const EQUAL_PAIRS = 12;
const LEVEL = 0.95;
const CORES = [0, 1];
const WORK = 400_000;

const started = performance.now();
const load = startLoad(CORES, 3);
try {
  const same = await compareMany('together', equal, { pairs: EQUAL_PAIRS, factor: 1 });
  const sameAfter = await compareMany('one-after-another', equal, { pairs: EQUAL_PAIRS, factor: 1 });
  const slower = await compareMany('together', different, { pairs, factor: 1.02 });
  const slowerAfter = await compareMany('one-after-another', different, { pairs, factor: 1.02 });
  print([
    ['with itself, together', same],
    ['with itself, one after another', sameAfter],
    ['2 % more work, together', slower],
    ['2 % more work, one after another', slowerAfter],
  ]);
  judgeAims(same, slower, slowerAfter);
} finally {
  load.stop();
}

async function compareMany(
  mode: PairMode,
  count: number,
  design: { readonly pairs: number; readonly factor: number },
): Promise<readonly Comparison[]> {
  const found: Comparison[] = [];
  for (let index = 0; index < count; index++) {
    found.push(await compareCommands(requestFor(mode, index, design), effects()));
    if (process.stderr.isTTY) process.stderr.write(`\r${mode} ${index + 1}/${count} `);
  }
  return found;
}

function requestFor(
  mode: PairMode,
  seed: number,
  { pairs, factor }: { readonly pairs: number; readonly factor: number },
): CompareRequest {
  return {
    sides: { A: spin('A', WORK), B: spin('B', Math.round(WORK * factor)) },
    parameters: {},
    mode,
    count: { type: 'exact', pairs },
    warmup: 1,
    stop: 'never',
    level: LEVEL,
    minEffect: 0.01,
    seed,
    ignoreFailure: false,
    output: 'null',
    notes: [],
  };
}

/** Some 15 ms of nothing but counting. */
function spin(name: string, rounds: number): CommandSide {
  const program = `BEGIN { for (i = 0; i < ${rounds}; i++) s += i }`;
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  return { name, command: `awk '${program}'`, argv: ['awk', program], cwd: process.cwd(), env };
}

function effects() {
  return { timer: processTimer, clock: systemClock, signal: new AbortController().signal, notify: () => {} };
}

function print(groups: readonly (readonly [string, readonly Comparison[]])[]): void {
  const measured = groups.filter(([, comparisons]) => comparisons.length > 0);
  const rows = measured.map(([name, comparisons]) => {
    const share = (...verdicts: readonly Verdict[]) => percent(shareOf(comparisons, verdicts));
    const widths = comparisons.map(({ judgement: { effect } }) =>
      effect ? effect.high - effect.low : Number.NaN,
    );
    const ratios = comparisons.map(({ judgement: { effect } }) => effect?.ratio ?? Number.NaN);
    const times = comparisons.flatMap(({ sides }) => sides.A.times);
    return [
      name,
      String(comparisons.length),
      String(comparisons[0]?.judgement.runs ?? 0),
      share('slower'),
      share('faster'),
      share('same'),
      share('undecided'),
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
    'ratio',
    'width',
    'time of A',
  ];
  printTable('awk counting on two cores, busy in bursts; level 95 %, smallest effect 1 %', header, rows);
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);
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
    slower.length > 0 &&
      shareOf(slower, ['slower']) < 0.8 &&
      '2 % more work is not found in four of five duets',
    shareOf(slowerAfter, ['slower']) > 0.5 &&
      '2 % more work is found one after another as well: too little noise',
  ].filter((line) => line !== false);
  for (const line of missed) console.log(`missed: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
}
