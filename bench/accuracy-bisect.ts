// Whether a bisect names the right commit, and is as sure as it is right: simulated searches, one row for each world.
// Run: node dist/bench/accuracy-bisect.js [searches] [seed] [rows]; rows: parts of their names, with semicolons between.
// Exit code 1 when an aim is missed.
import { usualBuilds } from '../src/bisect/core/remaining.ts';
import { makeAims } from './accuracy/aims.ts';
import { type SimulatedBisect, type SimulatedOutcome, simulateBisect } from './accuracy/simulated-bisect.ts';
import { percent, printTable } from './accuracy/table.ts';

const searches = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 20_260);
const wanted = (process.argv[4] ?? '').split(';');

/** Of those that name a commit at 95 %. */
const RIGHT = [0.93, 1] as const;
/** Searches that name a commit where no single one did it. */
const FALSE = [0, 0.07] as const;
/** Searches that name a commit where that is not hard. */
const USEFUL = [0.9, 1] as const;

const options = { certainty: 0.95, minEffect: 0.01, mostBuilds: usualBuilds(32) };
const step5: SimulatedBisect = { commits: 32, step: 0.05, by: 'one', noise: 0.02, options };
const step3: SimulatedBisect = { ...step5, step: 0.03 };
const large = (commits: number): SimulatedBisect => {
  return { ...step3, commits, options: { ...options, mostBuilds: usualBuilds(commits) } };
};

interface Row {
  readonly name: string;
  readonly world: SimulatedBisect;
  /** easy: it has to be found; hard: what is named has to be right; none: there is no one to name. */
  readonly kind: 'easy' | 'hard' | 'none';
}

const rows: readonly Row[] = [
  { name: 'step 5 %, noise 2 %', world: step5, kind: 'easy' },
  { name: 'step 3 %, noise 2 %', world: step3, kind: 'easy' },
  { name: 'step 3 %, noise 5 %', world: { ...step3, noise: 0.05 }, kind: 'easy' },
  { name: 'step 50 %, noise 2 %', world: { ...step5, step: 0.5 }, kind: 'easy' },
  { name: 't3, step 3 %', world: { ...step3, tails: 't3' }, kind: 'easy' },
  { name: '+6 % in a fifth of the pairs, step 3 %', world: { ...step3, tails: 'disturbed' }, kind: 'easy' },
  { name: 'AR .9, step 5 %', world: { ...step5, correlation: 0.9 }, kind: 'easy' },
  { name: 'AR .9, step 3 %, noise 5 %', world: { ...step3, noise: 0.05, correlation: 0.9 }, kind: 'hard' },
  { name: 'builds 1 %, step 5 %', world: { ...step5, builds: 0.01 }, kind: 'easy' },
  { name: 'builds 1 %, step 3 %', world: { ...step3, builds: 0.01 }, kind: 'hard' },
  { name: 'builds 2 %, step 5 %', world: { ...step5, builds: 0.02 }, kind: 'hard' },
  {
    name: 'builds 1 % that come back, step 5 %',
    world: { ...step5, builds: 0.01, isReproducible: true },
    kind: 'hard',
  },
  {
    name: 'builds 1 % that come back, step 3 %',
    world: { ...step3, builds: 0.01, isReproducible: true },
    kind: 'hard',
  },
  {
    name: 'builds 2 % that come back, step 5 %',
    world: { ...step5, builds: 0.02, isReproducible: true },
    kind: 'hard',
  },
  {
    name: 'wall noise 10 % AR .9, CPU noise 1 %, step 5 %',
    world: { ...step5, noise: 0.1, correlation: 0.9, cpuNoise: 0.01 },
    kind: 'easy',
  },
  { name: 'no culprit', world: { ...step5, step: 0 }, kind: 'none' },
  { name: 'no culprit, builds 1 %', world: { ...step5, step: 0, builds: 0.01 }, kind: 'none' },
  {
    name: 'no culprit, builds 2 % that come back',
    world: { ...step5, step: 0, builds: 0.02, isReproducible: true },
    kind: 'none',
  },
  { name: '5 % spread over 32 commits', world: { ...step5, by: 'spread' }, kind: 'none' },
  {
    name: '5 % spread over 32 commits, builds 1 %',
    world: { ...step5, by: 'spread', builds: 0.01 },
    kind: 'none',
  },
  { name: '5 % by two commits, half each', world: { ...step5, by: 'two' }, kind: 'none' },
  {
    name: '64 commits, step 3 %, one run in 20 up to twice as long',
    world: { ...large(64), tails: 'heavy' },
    kind: 'hard',
  },
  {
    name: '64 commits, step 3 %, one in five does not build',
    world: { ...large(64), broken: 0.2 },
    kind: 'easy',
  },
  { name: '64 commits, step 3 %, places differ by 4 %', world: { ...large(64), places: 0.04 }, kind: 'easy' },
  { name: '1000 commits, step 3 %', world: large(1000), kind: 'easy' },
];

const started = performance.now();
const aims = makeAims();
const table = rows
  .filter(({ name }) => wanted.some((part) => name.includes(part)))
  .map(({ name, world, kind }) => {
    const found = Array.from({ length: searches }, (_, at) => simulateBisect(world, seed + 7919 * at));
    const named = found.filter((it) => it.named > 0);
    const share = (outcome: SimulatedOutcome['outcome']) => count(found, outcome) / searches;
    const right = named.length === 0 ? undefined : count(found, 'right') / named.length;
    const part = named.length / searches;
    return [
      name,
      kind === 'hard' ? percent(part) : aims.check(`${name}: named`, part, kind === 'easy' ? USEFUL : FALSE),
      kind === 'none' || right === undefined ? percent(right) : aims.check(`${name}: right`, right, RIGHT),
      percent(mean(named, (it) => it.certainty)),
      mean(named, (it) => it.named)?.toFixed(2) ?? '',
      ...[percent(share('no-difference')), percent(share('several')), percent(share('undecided'))],
      ...[String(Math.round(mean(found, (it) => it.pairs) ?? 0)), String(quantile95(found))],
      mean(found, (it) => it.builds)?.toFixed(1) ?? '',
    ];
  });

printTable(
  `${searches} searches a row, seed ${seed}, certainty 95 %`,
  [
    '',
    'named',
    'right of these',
    'claimed',
    'size',
    'none',
    'several',
    'cannot know',
    'pairs',
    '95 % within',
    'builds',
  ],
  table,
);
for (const missed of aims.missed) console.log(`missed: ${missed}`);
if (aims.missed.length > 0) process.exitCode = 1;
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);

function count(found: readonly SimulatedOutcome[], outcome: SimulatedOutcome['outcome']): number {
  return found.filter((it) => it.outcome === outcome).length;
}

function mean(
  list: readonly SimulatedOutcome[],
  of: (outcome: SimulatedOutcome) => number,
): number | undefined {
  return list.length === 0 ? undefined : list.reduce((sum, it) => sum + of(it), 0) / list.length;
}

function quantile95(found: readonly SimulatedOutcome[]): number {
  return found.map(({ pairs }) => pairs).sort((a, b) => a - b)[Math.floor(found.length * 0.95)] ?? 0;
}
