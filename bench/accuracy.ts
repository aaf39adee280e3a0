// Whether verdicts hold: simulated duets with a known truth. Run: node dist/bench/accuracy.js [repetitions] [seed] [--benchstat PROGRAM]
// Exit code 1 when an aim is missed. docs/statistics.md says what the numbers mean.
import { parseArgs } from 'node:util';
import { judgeUnpaired } from '../src/stats/verdict.ts';
import { makeAims } from './accuracy/aims.ts';
import { benchstatDiffers, type TwoSamples } from './accuracy/benchstat.ts';
import { candidateRates } from './accuracy/candidates.ts';
import { fixedCells, lookCells } from './accuracy/cells.ts';
import type { Design } from './accuracy/comparisons.ts';
import { correlatedLooks, correlatedRates, seriesSource, skewedCoverage } from './accuracy/correlated.ts';
import { HEAVY, LIGHT } from './accuracy/noise.ts';
import { SENSITIVITY, UNEQUAL } from './accuracy/sensitivity.ts';
import { sequentialCells } from './accuracy/sequential.ts';
import { percent, printTable } from './accuracy/table.ts';
import type { Tally } from './accuracy/tally.ts';

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { benchstat: { type: 'string' } },
});
const repetitions = Number(positionals[0] ?? 5000);
const seed = Number(positionals[1] ?? 20_260);
const repeat = { repetitions, seed };
const aims = makeAims();
const started = performance.now();

const RATES = ['', 'false alarms', 'coverage', 'found 0.5 %', 'found 1 %', 'found 2 %', 'same at 0', 'width'];
const FALSE_ALARMS = [0.035, 0.065] as const;
const COVERAGE = [0.935, 0.97] as const;

console.log(`${repetitions} comparisons a row, seed ${seed}; level 95 %, smallest effect of interest 1 %.`);
printFixed();
printSequential();
printLooks();
printCorrelated();
printSkewed();
printBenchstat(flags.benchstat);
printCandidates();
printSensitivity();
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);
for (const miss of aims.missed) console.log(`missed: ${miss}`);
if (aims.missed.length > 0) process.exitCode = 1;

function printFixed(): void {
  const designs: readonly (readonly [string, Design])[] = [LIGHT, HEAVY].flatMap((noise) => [
    [`10 runs of 30, ${noise.tails} tails`, { noise, runs: 10, iterations: 30 }] as const,
    [`20 pairs, ${noise.tails} tails`, { noise, runs: 20, iterations: 1 }] as const,
    [`50 pairs, ${noise.tails} tails`, { noise, runs: 50, iterations: 1 }] as const,
  ]);
  const rows = designs.map(([name, design]) => {
    const tallies = fixedCells(design, repeat);
    const row = rates(name, tallies);
    row[1] = aims.check(`false alarms, ${name}`, tallies[0]?.differs, FALSE_ALARMS);
    row[2] = aims.check(`coverage, ${name}`, tallies[2]?.covered, COVERAGE);
    if (design.iterations === 30)
      row[4] = aims.check(`power at 1 %, ${name}`, tallies[2]?.differs, [0.85, 1]);
    return row;
  });
  printTable(
    'Duets (aims: false alarms 3.5 to 6.5 %, coverage 93.5 to 97 %, 1 % found in 85 % with 10 runs)',
    RATES,
    rows,
  );
}

function printSequential(): void {
  const rows = [false, true].flatMap((inTurns) =>
    [LIGHT, HEAVY].map((noise) => {
      const name = `${inTurns ? 'in turns' : 'all A, then all B'}, ${noise.tails} tails`;
      return rates(name, sequentialCells({ noise, runs: 10, iterations: 30 }, { ...repeat, inTurns }));
    }),
  );
  printTable('The same programs one after the other, 10 + 10 runs of 30, unpaired (Welch)', RATES, rows);
}

function printLooks(): void {
  const header = [
    '',
    'false alarms',
    'with same',
    'same at 0',
    'runs at 0',
    'runs at 1 %',
    'runs at 2 %',
    'the same, any difference',
    'found 1 %',
  ];
  const rows = [LIGHT, HEAVY].flatMap((noise) =>
    [
      { noise, runs: 30, iterations: 30 },
      { noise, runs: 20, iterations: 30 },
      { noise, runs: 50, iterations: 1 },
      { noise, runs: 100, iterations: 1 },
    ].map((design) => looksRow(design)),
  );
  printTable(
    'Four looks, as parts of the most runs (aims: false alarms at most 6 %; 2 % told from none with a third of the runs)',
    header,
    rows,
  );
}

function looksRow(design: Design): string[] {
  const { noise, runs, iterations } = design;
  const name = `at most ${runs} ${iterations === 1 ? 'pairs' : `runs of ${iterations}`}, ${noise.tails} tails`;
  const bare = lookCells(design, { ...repeat, minEffect: 0 });
  const [none, , one, two] = lookCells(design, { ...repeat, minEffect: 0.01 });
  const share = (tally: Tally | undefined) => (tally?.runs ?? runs) / runs;
  return [
    name,
    aims.check(`false alarms with looks, ${name}`, bare[0]?.decided, [0, 0.06]),
    aims.check(`false alarms with looks and same, ${name}`, none?.decided, [0, 0.06]),
    percent(none?.same),
    percent(share(none)),
    percent(share(one)),
    percent(share(two)),
    aims.check(`mean runs at 2 %, ${name}`, share(bare[3]), [0, 1 / 3]),
    percent(bare[2]?.decided),
  ];
}

function printCorrelated(): void {
  const rows = [5, 10, 20, 30, 50, 100].flatMap((runs) =>
    [0, 0.3, 0.6].map((rho) => {
      const name = `${runs} runs, correlation ${rho}`;
      const rates = correlatedRates(runs, rho, repeat);
      // Fewer than 50 runs cannot show enough of it: those rows say what is left.
      const alarms: readonly [number, number] = rho === 0 ? FALSE_ALARMS : runs >= 50 ? [0, 0.09] : [0, 1];
      const lost = rho === 0 ? ([-0.005, 0.03] as const) : ([-1, 1] as const);
      return [
        name,
        aims.check(`false alarms, ${name}`, rates.pairs, alarms),
        percent(rates.unpaired),
        percent(rates.sameAtEdge),
        percent(rates.found),
        aims.check(`power lost to caution, ${name}`, rates.foundBefore - rates.found, lost),
      ];
    }),
  );
  printTable(
    'Neighbouring runs that resemble each other (aims: false alarms 3.5 to 6.5 % without, at most 9 % from 50 runs on; at most 3 points of power lost without)',
    ['', 'false alarms', 'unpaired', 'same at 1 %', 'found', 'lost'],
    rows,
  );
  const looks = [20, 30, 40, 100].map((most) => {
    const cells = [0, 0.3, 0.6].map((rho) => correlatedLooks(most, rho, repeat));
    return [
      `at most ${most} runs`,
      aims.check(`looks, ${most} runs`, cells[0], [0, 0.06]),
      ...cells.slice(1).map(percent),
    ];
  });
  printTable('The same with looks: false alarms', ['', 'none', '0.3', '0.6'], looks);
}

function printSkewed(): void {
  const rows = [3, 5, 9, 10, 30].map((runs) => {
    const { pseudoMedian, mean } = skewedCoverage(runs, repeat);
    return [`${runs} runs`, aims.check(`skewed, ${runs} runs`, pseudoMedian, [0.9, 0.97]), percent(mean)];
  });
  printTable(
    'Skewed log ratios (exponential): what the interval of 95 % holds (aim: 90 to 97 % of pseudo-medians)',
    ['', 'pseudo-median', 'mean'],
    rows,
  );
}

/** Sides that are not pairs, 10 runs each, by us and by benchstat on the same samples. */
function printBenchstat(program: string | undefined): void {
  if (program === undefined) {
    console.log(
      '\nNo peer: go install golang.org/x/perf/cmd/benchstat@latest, and give --benchstat PROGRAM.',
    );
    return;
  }
  const count = Math.min(repetitions, 2000);
  const rows = [0, 0.3, 0.6].flatMap((rho) =>
    [10, 50].map((runs) => {
      const draw = seriesSource(seed + 1, rho);
      const samples = Array.from({ length: count }, (): TwoSamples => ({ a: draw(runs), b: draw(runs) }));
      const step = (0.01 * 4.5) / Math.sqrt(runs);
      const moved = samples.map(({ a, b }) => ({ a, b: b.map((value) => value + step) }));
      const ours = (all: readonly TwoSamples[]) =>
        all.filter(({ a, b }) => judgeUnpaired(a, b, { level: 0.95, minEffect: 0 }).verdict !== 'undecided')
          .length;
      const theirs = (all: readonly TwoSamples[]) => benchstatDiffers(program, all).filter(Boolean).length;
      const rates = [ours(samples), theirs(samples), ours(moved), theirs(moved)];
      return [`${runs} runs a side, correlation ${rho}`, ...rates.map((it) => percent(it / count))];
    }),
  );
  printTable(
    `benchstat on the same samples, ${count} comparisons of 10 and 50 runs a side`,
    ['', 'false alarms', 'benchstat', 'found 4.5 errors', 'benchstat'],
    rows,
  );
}

function printCandidates(): void {
  const fewer = { ...repeat, repetitions: Math.min(repetitions, 2000) };
  for (const design of [
    { name: '10 runs of 30, light tails', noise: LIGHT, runs: 10, iterations: 30 },
    { name: '10 runs of 30, heavy tails', noise: HEAVY, runs: 10, iterations: 30 },
    { name: '10 runs of 30, heavy bursts felt unequally', noise: UNEQUAL, runs: 10, iterations: 30 },
    { name: '50 pairs, heavy tails', noise: HEAVY, runs: 50, iterations: 1 },
  ]) {
    const rows = candidateRates(design, fewer).map(({ name, falseAlarms, power, width }) => {
      return [name, percent(falseAlarms), percent(power), percent(width)];
    });
    const title = `Other estimators, ${design.name}, ${fewer.repetitions} comparisons`;
    printTable(title, ['within a run, over runs', 'false alarms', 'found 1 %', 'width'], rows);
  }
}

function printSensitivity(): void {
  const rows = SENSITIVITY.map((design) => rates(design.name, fixedCells(design, repeat)));
  printTable('Other noise (no aims: this is where it gets weak, or wrong)', RATES, rows);
}

function rates(name: string, [none, half, one, two]: readonly Tally[]): string[] {
  const found = [half, one, two].map((tally) => percent(tally?.differs));
  return [
    name,
    percent(none?.differs),
    percent(one?.covered),
    ...found,
    percent(none?.same),
    percent(one?.width),
  ];
}
