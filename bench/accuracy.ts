// Whether verdicts hold: simulated duets with a known truth. Run: node dist/bench/accuracy.js [repetitions] [seed]
// Exit code 1 when an aim is missed. docs/statistics.md says what the numbers mean.
import { makeAims } from './accuracy/aims.ts';
import { candidateRates } from './accuracy/candidates.ts';
import { fixedCells, lookCells } from './accuracy/cells.ts';
import type { Design } from './accuracy/comparisons.ts';
import { HEAVY, LIGHT } from './accuracy/noise.ts';
import { SENSITIVITY, UNEQUAL } from './accuracy/sensitivity.ts';
import { sequentialCells } from './accuracy/sequential.ts';
import { percent, printTable } from './accuracy/table.ts';
import type { Tally } from './accuracy/tally.ts';

const repetitions = Number(process.argv[2] ?? 5000);
const seed = Number(process.argv[3] ?? 20_260);
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
    'Four looks (aims: false alarms at most 6 %, mean runs at 2 % at most a third of the most)',
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
    aims.check(`mean runs at 2 %, ${name}`, share(two), [0, 1 / 3]),
    percent(bare[2]?.decided),
  ];
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
