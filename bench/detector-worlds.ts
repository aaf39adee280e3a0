// Whether steps are placed exactly, and what the detector makes of noise that is not independent. Run: node dist/bench/detector-worlds.js [series] [seed] [--tcpd FOLDER]
// Exit code 1 when an aim is missed. docs/statistics.md says what the numbers mean.

import { parseArgs } from 'node:util';
import { judgeSeries } from '../src/judge/core/changes/judge-series.ts';
import { findChanges } from '../src/judge/core/levels/find-changes.ts';
import { printTable } from './accuracy/table.ts';
import { PLACINGS, youngStep } from './detector/exactness.ts';
import { agreementOf, readAnnotated } from './detector/tcpd.ts';
import { WORLDS } from './detector/worlds.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { tcpd: { type: 'string' } },
});
const [series, seed] = [Number(positionals[0] ?? 200), Number(positionals[1] ?? 4711)];
const seeds = Array.from({ length: series }, (_, index) => seed * 100_003 + index);
/** Deviations of noise. */
const SIZES = [4, 5, 6, 10];
const LENGTH = 300;
const missed: string[] = [];
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const ours = (values: Float64Array) => findChanges({ values }).changes;

printExactness();
printYoung();
printWorlds();
if (flags.tcpd !== undefined) printAnnotated(flags.tcpd);
for (const miss of missed) console.log(`missed: ${miss}`);
if (missed.length > 0) process.exitCode = 1;

/** Of steps that are found: at exactly the first value of the new level, and in the range that is named where that is not sure. */
function printExactness(): void {
  const rows = PLACINGS.flatMap(([name, make], kind) =>
    SIZES.map((size) => {
      const tried = seeds.map((one) => {
        const { values, truth } = make(size, one);
        const [change, ...others] = ours(values);
        const { first, last } = change?.range ?? { first: change?.index ?? -1, last: change?.index ?? -1 };
        const isAlone = change !== undefined && others.length === 0;
        return {
          isExact: isAlone && change.index === truth,
          isHeld: isAlone && first <= truth && truth <= last,
          width: last - first,
        };
      });
      const share = (is: (one: (typeof tried)[number]) => boolean) => tried.filter(is).length / series;
      const [exact, held] = [share(({ isExact }) => isExact), share(({ isHeld }) => isHeld)];
      const aim = kind === 0 ? 0.99 : 0.95;
      if (exact < aim) missed.push(`${name}, ${size} deviations: ${percent(exact)} exact`);
      const wide = share(({ width }) => width > 0);
      return [`${name}, ${size} deviations`, percent(exact), percent(held), percent(wide)];
    }),
  );
  printTable('Places of one step', ['', 'exact', 'in what is named', 'a range is named'], rows);
}

/** Steps too young to be a level: listed as the only change, and dated to their first value. No aim. */
function printYoung(): void {
  const rows = SIZES.flatMap((size) =>
    [1, 2, 3, 5].map((count) => {
      const found = seeds.map((one) => {
        const { values, truth } = youngStep(size, count, one);
        const { changes } = judgeSeries({ values, better: 'lower' });
        return {
          isAlone: changes.length === 1,
          isExact: changes.length === 1 && changes[0]?.index === truth,
        };
      });
      const share = (is: (one: (typeof found)[number]) => boolean) =>
        percent(found.filter(is).length / series);
      const name = `${size} deviations, ${count === 1 ? 'the newest value' : `the newest ${count} values`}`;
      return [name, share(({ isAlone }) => isAlone), share(({ isExact }) => isExact)];
    }),
  );
  printTable('Steps near the end', ['', 'listed', 'exact'], rows);
}

/** Nothing changed in any of them. */
function printWorlds(): void {
  const rows = WORLDS.map(([name, make]) => {
    const found = seeds.map((one) => ours(make(LENGTH, one)).length);
    const all = found.reduce((sum, count) => sum + count, 0);
    const any = found.filter((count) => count > 0).length;
    return [name, ((1000 * all) / (LENGTH * series)).toFixed(2), percent(any / series)];
  });
  printTable(`Noise without a change, ${LENGTH} points`, ['', 'false per 1,000', 'series with any'], rows);
}

/** People who saw no change in a series agree with a detector that finds none. */
function printAnnotated(folder: string): void {
  const all = readAnnotated(folder);
  const found = all.map((one) =>
    agreementOf(
      one,
      ours(one.values).map(({ index }) => index),
    ),
  );
  const nothing = all.map((one) => agreementOf(one, []));
  const mean = (numbers: readonly number[]) =>
    (numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toFixed(3);
  printTable(
    `Turing Change Point Dataset, ${all.length} series`,
    ['', 'F1', 'cover'],
    [
      ...all.map(({ name }, i) => [name, mean([found[i]?.f1 ?? 0]), mean([found[i]?.cover ?? 0])]),
      ['mean', mean(found.map(({ f1 }) => f1)), mean(found.map(({ cover }) => cover))],
      ['nothing found', mean(nothing.map(({ f1 }) => f1)), mean(nothing.map(({ cover }) => cover))],
    ],
  );
}
