// Whether a bisect names the right commit: simulated searches. Run: node dist/bench/accuracy-bisect.js [searches] [seed]
// Exit code 1 when the aim is missed.
import { type SimulatedBisect, simulateBisect } from './accuracy/simulated-bisect.ts';
import { percent, printTable } from './accuracy/table.ts';

const searches = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? 20_260);
/** Of the first row: the right commit in 95 of 100 searches. */
const AIM = 0.95;

const usual: SimulatedBisect = {
  commits: 64,
  step: 0.03,
  sharedNoise: 0.05,
  ownNoise: 0.05,
  tails: 'light',
  broken: 0,
  options: { certainty: 0.95, minEffect: 0.01 },
};
const worlds: readonly (readonly [string, SimulatedBisect])[] = [
  ['64 commits, step 3 %, noise 5 % shared and 5 % own', usual],
  ['the same, asked for 99 %', { ...usual, options: { certainty: 0.99, minEffect: 0.01 } }],
  ['one run in 20 takes up to twice as long', { ...usual, tails: 'heavy' }],
  ['one commit in five does not build', { ...usual, broken: 0.2 }],
  ['own noise 2 %', { ...usual, ownNoise: 0.02 }],
  ['step 50 %, own noise 2 %', { ...usual, step: 0.5, ownNoise: 0.02 }],
  ['1000 commits, own noise 2 %', { ...usual, commits: 1000, ownNoise: 0.02 }],
  ['own noise 2 %, places that swap differ by 4 %', { ...usual, ownNoise: 0.02, places: 0.04 }],
  ['nothing to find', { ...usual, step: 0 }],
];

const started = performance.now();
const rows = worlds.map(([name, world], row) => {
  const found = Array.from({ length: searches }, (_, at) => simulateBisect(world, seed + 7919 * at));
  const share = (outcome: string) => found.filter((it) => it.outcome === outcome).length / searches;
  const mean = (of: 'pairs' | 'built' | 'named') => found.reduce((sum, it) => sum + it[of], 0) / searches;
  if (row === 0 && share('right') < AIM) {
    console.log(`missed: the right commit in ${percent(share('right'))}`);
    process.exitCode = 1;
  }
  const most = found.map(({ pairs }) => pairs).sort((a, b) => a - b)[Math.floor(searches * 0.95)] ?? 0;
  return [
    name,
    percent(share('right')),
    percent(share('wrong')),
    percent(share('no-difference')),
    mean('pairs').toFixed(0),
    String(most),
    mean('built').toFixed(1),
    mean('named').toFixed(2),
  ];
});
const columns = ['', 'right', 'wrong', 'no difference', 'pairs', '95 % within', 'commits built', 'named'];
printTable(
  `${searches} searches a row, seed ${seed}; aim of the first row: right in ${AIM * 100} %`,
  columns,
  rows,
);
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);
