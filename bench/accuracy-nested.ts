// Whether `matrix analyze` takes repeats for what they are: simulated trees of versions, each measured in a night of its own with
// several repeats. Run: node dist/bench/accuracy-nested.js [trees] [seed]. Exit code 1 when an aim is missed.
import type { KpiDefinition } from '../src/formats/core/kpi/kpi.ts';
import type { KpiAnalysis } from '../src/judge/core/regression/analysis.ts';
import { analyzeRegressions } from '../src/judge/core/regression/analyze.ts';
import type { CurrentTest, TestRecord } from '../src/judge/core/regression/test-record.ts';
import { interquartileInterval } from '../src/stats/means.ts';
import { seededRandom } from '../src/stats/random.ts';
import { quantile } from '../src/stats/summary.ts';
import { makeAims } from './accuracy/aims.ts';
import { normalSource } from './accuracy/normal.ts';
import { percent, printTable } from './accuracy/table.ts';

const trees = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? 4_711);
const random = seededRandom(seed);
const normal = normalSource(random);
const aims = makeAims();

interface World {
  /** Of one entry in one night, and of one repeat; deviations as fractions. */
  readonly night: number;
  readonly repeat: number;
  /** Part of the variance of a night that all entries share. */
  readonly shared: number;
}

interface Tree {
  readonly versions: number;
  readonly repeats: number;
  /** Of the version that is judged, where it differs. */
  readonly newest?: number;
  /** Its slowdown in a tenth of the entries. */
  readonly step: number;
}

const ENTRIES = 60;
const STEPPED = 6;
const DAY_MS = 86_400_000;
const TIME: KpiDefinition = {
  ...{ name: 'time', help: '', unit: 's', better: 'lower', isIgnoredForRegression: false },
};

const RULES = {
  comparison: { comparisonKeys: ['version'], ignoredKeys: [], sortingKeys: [], ignoredEntries: {} },
  ...{ isCompat: false, minEffect: 0.01, kpiFilter: '' },
};

console.log(`${trees} trees of ${ENTRIES} entries a row, seed ${seed}.`);
printQuiet();
printSteps();
printGathered();
for (const miss of aims.missed) console.log(`missed: ${miss}`);
if (aims.missed.length > 0) process.exitCode = 1;

function printQuiet(): void {
  const worlds: readonly (readonly [string, World])[] = [
    ['night 2 %, repeat 1 %', { night: 0.02, repeat: 0.01, shared: 0 }],
    ['night 1 %, repeat 0.5 %', { night: 0.01, repeat: 0.005, shared: 0 }],
    ['night 2 %, half of it shared by all entries', { night: 0.02, repeat: 0.01, shared: 0.5 }],
    ['no night effect, repeat 2 %', { night: 0, repeat: 0.02, shared: 0 }],
  ];
  const rows = worlds.flatMap(([name, world]) =>
    [1, 2, 3, 5, 10].map((repeats) => {
      const { called, anything } = rateOf(world, { versions: 10, repeats, step: 0 });
      const text = `${name}; ${repeats} repeats`;
      return [
        text,
        aims.check(`called, ${text}`, called, [0, 0.05]),
        aims.check(`nights, ${text}`, anything, [0, 0.05]),
      ];
    }),
  );
  const uneven = [
    { versions: 10, repeats: 10, newest: 1, step: 0 },
    { versions: 10, repeats: 1, newest: 10, step: 0 },
    { versions: 4, repeats: 5, step: 0 },
  ].map((tree) => {
    const { called, anything } = rateOf({ night: 0.01, repeat: 0.02, shared: 0 }, tree);
    const text = `night 1 %, repeat 2 %; ${tree.versions} versions of ${tree.repeats}, newest of ${tree.newest ?? tree.repeats}`;
    return [
      text,
      aims.check(`called, ${text}`, called, [0, 0.05]),
      aims.check(`nights, ${text}`, anything, [0, 0.05]),
    ];
  });
  printTable(
    'Nothing changed, 10 versions (aims: at most 5 % of entries, and of nights with anything)',
    ['', 'entries called changed', 'nights with any'],
    [...rows, ...uneven],
  );
}

function printSteps(): void {
  const world = { night: 0.02, repeat: 0.01, shared: 0 };
  const rows = [1, 3, 10].flatMap((repeats) =>
    [0.1, 0.2].map((step) => {
      const { found, likely, false: wrong } = rateOf(world, { versions: 10, repeats, step });
      const text = `${percent(step)} in ${STEPPED} of ${ENTRIES}; ${repeats} repeats`;
      const aim: readonly [number, number] = step > 0.15 ? [0.9, 1] : [0, 1];
      return [text, aims.check(`found, ${text}`, found, aim), percent(likely), percent(wrong)];
    }),
  );
  printTable(
    'A step in the newest version, night 2 %, repeat 1 % (aim: 90 % of 20 % found)',
    ['', 'found', 'likely or held back', 'false of those called'],
    rows,
  );
}

function rateOf(world: World, tree: Tree) {
  const counts = { called: 0, found: 0, likely: 0, nights: 0 };
  for (let round = 0; round < trees; round++) {
    const kpis = analyze(world, tree);
    const isCalled = ({ state }: KpiAnalysis) => state === 'regression' || state === 'improvement';
    const called = kpis.filter(isCalled).length;
    const stepped = tree.step > 0 ? kpis.slice(0, STEPPED) : [];
    counts.called += called;
    counts.found += stepped.filter(({ state }) => state === 'regression').length;
    counts.likely += stepped.filter(({ likely, heldBack }) => likely ?? heldBack).length;
    if (called > 0) counts.nights++;
  }
  return {
    called: counts.called / (trees * ENTRIES),
    anything: counts.nights / trees,
    found: counts.found / (trees * STEPPED),
    likely: counts.likely / (trees * STEPPED),
    false: (counts.called - counts.found) / Math.max(1, counts.called),
  };
}

function analyze({ night, repeat, shared }: World, tree: Tree): readonly KpiAnalysis[] {
  const history: TestRecord[] = [];
  const tests: CurrentTest[] = [];
  for (let version = 0; version <= tree.versions; version++) {
    const isNewest = version === tree.versions;
    const common = Math.sqrt(shared) * night * normal.next();
    for (let entry = 0; entry < ENTRIES; entry++) {
      const own = common + Math.sqrt(1 - shared) * night * normal.next();
      const step = isNewest && entry < STEPPED ? Math.log1p(tree.step) : 0;
      const count = isNewest ? (tree.newest ?? tree.repeats) : tree.repeats;
      for (let at = 0; at < count; at++) {
        const value = 100 * Math.exp(own + step + repeat * normal.next());
        const labels = { version: `1.${version}.0`, entry };
        const test = { testId: `${version}-${entry}-${at}`, at: version * DAY_MS + 60_000 * at };
        if (isNewest) tests.push({ ...currentTest(test, value, labels) });
        else history.push({ ...test, labels, values: new Map([[TIME.name, value]]) });
      }
    }
  }
  const { entries } = analyzeRegressions({ tests, history }, RULES);
  return entries.flatMap(({ kpis }) => kpis);
}

function currentTest(
  { testId, at }: { readonly testId: string; readonly at: number },
  value: number,
  labels: { readonly version: string; readonly entry: number },
): CurrentTest {
  const values = [{ definition: TIME, value, labels, at, testId }];
  return { testId, location: testId, labels, settings: {}, values };
}

/** How often the interval of a gathered KPI holds the mean of the middle half of what its repetitions come from. */
function printGathered(): void {
  const kinds: readonly (readonly [string, () => number])[] = [
    ['normal', normal.next],
    ['skewed (exponential)', () => -Math.log(1 - random())],
    ['tails of t with 3 degrees', normal.studentOfThree],
  ];
  const counts = [2, 3, 5, 8, 10, 20];
  const rows = kinds.map(([name, draw]) => {
    const many = Float64Array.from({ length: 400_000 }, draw);
    const [low, high] = [quantile(many, 0.25), quantile(many, 0.75)];
    const middle = many.filter((value) => value >= low && value <= high);
    const truth = middle.reduce((sum, value) => sum + value, 0) / middle.length;
    const cells = counts.map((count) => {
      const repetitions = count < 8 ? 20 * trees : 3 * trees;
      let held = 0;
      for (let round = 0; round < repetitions; round++) {
        const interval = interquartileInterval(Float64Array.from({ length: count }, draw));
        if (interval.low <= truth && truth <= interval.high) held++;
      }
      return aims.check(`coverage of ${count} gathered, ${name}`, held / repetitions, [0.9, 0.985]);
    });
    return [name, ...cells];
  });
  printTable(
    'Intervals of 95 % of gathered KPIs: how often they hold the interquartile mean (aim: 90 to 98.5 %)',
    ['repetitions', ...counts.map((count) => `n=${count}`)],
    rows,
  );
}
