// What the judge of many newest values reports of a night: when nothing changed, on residuals of real histories, and when a tenth
// of many short series are slower. Run: node dist/bench/accuracy-many.js [nights] [seed] [quiet or slower]. Exit code 1 when an aim is missed.
// docs/statistics.md, "Many series", says what the numbers mean. The prior was fitted to every second history; the others are the test.
import { judgeMany } from '../src/judge/core/newest/judge-many.ts';
import { seededRandom } from '../src/stats/random.ts';
import { makeAims } from './accuracy/aims.ts';
import { normalSource } from './accuracy/normal.ts';
import { realResiduals, resampled } from './accuracy/real-nights.ts';
import { printTable } from './accuracy/table.ts';

const nights = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 81_423);
const part = process.argv[4];
const random = seededRandom(seed);
const normal = normalSource(random);
const aims = makeAims();
const started = performance.now();

const SERIES = 300;
/** The first tenth is slower. */
const SLOWER = 30;
const headerOf = (histories: readonly number[]) => ['', ...histories.map((history) => `${history} values`)];

console.log(`${nights} nights of ${SERIES} series a cell, seed ${seed}.`);
const real = resampled(realResiduals(1), random);
const drawReal = (count: number) => real.draw(count, 0);
/** Entries of a matrix: the noise of each is one between 0.3 and 2 %. */
const drawEntry = (count: number) => {
  const noise = 0.003 * (0.02 / 0.003) ** random();
  return Float64Array.from({ length: count }, () => 1 + noise * normal.next());
};
if (part !== 'slower') printQuiet();
if (part !== 'quiet') printSlower();
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);
for (const miss of aims.missed) console.log(`missed: ${miss}`);
if (aims.missed.length > 0) process.exitCode = 1;

function printQuiet(): void {
  const histories = [3, 5, 10, 20];
  const rows = [true, false].map((isPooled) => {
    const name = `real histories, ${isPooled ? 'one group' : 'each by itself'}`;
    const cells = histories.map((history) => {
      const { anything } = reported({ draw: drawReal, history, factor: 1, isPooled });
      return aims.check(`quiet nights, ${name}, ${history} values`, anything, [0, 0.06]);
    });
    return [name, ...cells];
  });
  printTable('Nothing changed: nights with any alarm (aim: at most 6 %)', headerOf(histories), rows);
}

function printSlower(): void {
  const histories = [3, 4, 10];
  const worlds = [
    { world: 'noise of 0.3 to 2 %', draw: drawEntry, isPooled: true, least: 0.6 },
    { world: 'noise of 0.3 to 2 %', draw: drawEntry, isPooled: false, least: 0 },
    { world: 'real histories', draw: drawReal, isPooled: true, least: 0 },
  ];
  const rows = worlds.flatMap(({ world, draw, isPooled, least }) => {
    const cells = histories.map((history) => reported({ draw, history, factor: 1.2, isPooled }));
    const name = `${world}, ${isPooled ? 'one group' : 'each by itself'}`;
    return [
      [`found, ${name}`, ...cells.map(({ found }) => aims.check(`found, ${name}`, found, [least, 1]))],
      [`false, ${name}`, ...cells.map(({ wrong }) => aims.check(`false, ${name}`, wrong, [0, 0.06]))],
    ];
  });
  const title = `${SLOWER} of ${SERIES} are 20 % slower: share found (aim: 60 %), mean share of false ones among the reported (aim: at most 6 %)`;
  printTable(title, headerOf(histories), rows);
}

interface Setting {
  readonly draw: (count: number) => Float64Array;
  readonly history: number;
  readonly factor: number;
  readonly isPooled: boolean;
}

interface Shares {
  /** Nights in which anything was reported. */
  readonly anything: number;
  readonly found: number;
  /** Mean over nights of the share of false ones; 0 in a night without reports. */
  readonly wrong: number;
}

function reported({ draw, history, factor, isPooled }: Setting): Shares {
  let [anything, found, wrong] = [0, 0, 0];
  for (let night = 0; night < nights; night++) {
    const series = Array.from({ length: SERIES }, (_, id) => {
      const values = draw(history + 1);
      const newest = values.subarray(history).map((value) => value * (id < SLOWER ? factor : 1));
      const group = isPooled ? { group: 'all' } : {};
      return { id, history: values.subarray(0, history), newest, better: 'lower' as const, ...group };
    });
    const { verdicts } = judgeMany(series);
    const reported = verdicts.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster');
    const right = reported.filter(({ id, verdict }) => id < SLOWER && verdict === 'slower').length;
    if (reported.length > 0) anything++;
    found += right / SLOWER;
    wrong += reported.length > 0 ? (reported.length - right) / reported.length : 0;
  }
  return { anything: anything / nights, found: found / nights, wrong: wrong / nights };
}
