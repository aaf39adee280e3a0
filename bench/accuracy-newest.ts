// How often the judge of newest values cries wolf, and what it sees. Run: node dist/bench/accuracy-newest.js [repetitions] [seed]
// Exit code 1 when an aim is missed. docs/statistics.md, "The newest value", says what the numbers mean.
import { judgeNewest } from '../src/judge/core/newest/judge-newest.ts';
import { seededRandom } from '../src/stats/random.ts';
import { makeAims } from './accuracy/aims.ts';
import { type Nights, nightsOf } from './accuracy/nights.ts';
import { realResiduals, resampled } from './accuracy/real-nights.ts';
import { percent, printTable } from './accuracy/table.ts';

const repetitions = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 20_261);
const random = seededRandom(seed);
const aims = makeAims();
const started = performance.now();
const HISTORIES = [3, 4, 10, 30] as const;
/** Few values: 1.6 %, what people were promised. More of them teach the tails, which costs a little on the way. */
const mostAlarms = (history: number) => [0, history <= 4 ? 0.016 : 0.022] as const;
const header = ['', ...HISTORIES.map((history) => `${history} values`)];

console.log(`${repetitions} nights a cell, seed ${seed}; defaults of the judge.`);
const shapes = nightsOf(random);
printAlarms(
  'Nothing changed, noise of 1, 2 and 3 % (aim: at most 1.6 % alarms, 2.2 % from 10 values on)',
  [0.01, 0.02, 0.03],
  true,
);
printAlarms('Nothing changed, noisier than nine of ten benchmarks (no aim)', [0.06, 0.1], false);
printReal();
printPower();
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s.`);
for (const miss of aims.missed) console.log(`missed: ${miss}`);
if (aims.missed.length > 0) process.exitCode = 1;

function printAlarms(title: string, noises: readonly number[], isAim: boolean): void {
  const rows = noises.flatMap((noise) =>
    shapes.map((nights) => {
      const name = `${percent(noise)}, ${nights.name}`;
      return [name, ...HISTORIES.map((history) => alarmCell(name, { nights, noise, history, isAim }))];
    }),
  );
  printTable(title, header, rows);
}

interface Cell {
  readonly nights: Nights;
  readonly noise: number;
  readonly history: number;
  readonly isAim: boolean;
}

function alarmCell(name: string, { nights, noise, history, isAim }: Cell): string {
  const share = alarms({ nights, noise, history, factor: 1 });
  return isAim
    ? aims.check(`alarms, ${name}, ${history} values`, share, mostAlarms(history))
    : percent(share);
}

function printReal(): void {
  const halves = ([0, 1] as const).map((half) => resampled(realResiduals(half), random));
  const rows = halves.flatMap((nights, half) =>
    [1, 1.05, 1.1, 1.2].map((factor) => {
      const name = `${half === 0 ? 'first' : 'other'} half, ${factor === 1 ? 'nothing changed' : `${percent(factor - 1)} more`}`;
      const cells = HISTORIES.map((history) => {
        const share = alarms({ nights, noise: 0, history, factor });
        return factor === 1
          ? aims.check(`alarms, real, ${name}, ${history} values`, share, mostAlarms(history))
          : percent(share);
      });
      return [name, ...cells];
    }),
  );
  printTable(
    'Residuals of real histories in blocks (aim: at most 1.6 % alarms, 2.2 % from 10 values on)',
    header,
    rows,
  );
}

function printPower(): void {
  const [normal] = shapes;
  if (normal === undefined) return;
  const rows = [0.01, 0.02, 0.03].flatMap((noise) =>
    [1.05, 1.1, 1.2].map((factor) => {
      const name = `${percent(factor - 1)} more at ${percent(noise)} noise`;
      const cells = HISTORIES.map((history) => {
        const share = alarms({ nights: normal, noise, history, factor });
        const isAim = factor === 1.2;
        return isAim ? aims.check(`found ${name}, ${history} values`, share, [0.5, 1]) : percent(share);
      });
      return [name, ...cells];
    }),
  );
  printTable('Found (aim: 20 % in most cases)', header, rows);
}

interface Setting {
  readonly nights: Nights;
  readonly noise: number;
  readonly history: number;
  readonly factor: number;
}

/** Share of newest values that are judged to be slower or faster. */
function alarms({ nights, noise, history, factor }: Setting): number {
  let count = 0;
  for (let round = 0; round < repetitions; round++) {
    const values = nights.draw(history + 1, noise);
    const newest = Float64Array.of((values[history] ?? 1) * factor);
    const { verdict } = judgeNewest({ history: values.subarray(0, history), newest, better: 'lower' });
    if (verdict === 'slower' || verdict === 'faster') count++;
  }
  return count / repetitions;
}
