import { createChangeFinder } from '../../src/judge/core/levels/find-changes.ts';
import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { median } from '../../src/stats/summary.ts';

/** Normal noise of 1 % with a step of 5 % to and fro after every so many points. */
export function stepped(length: number, every: number, seed = 0): Float64Array {
  const random = seededRandom(length + seed);
  return Float64Array.from(
    { length },
    (_, i) => 100 + normalQuantile(random() * 0.9999 + 0.00005) + 5 * (Math.floor(i / every) % 2),
  );
}

/** 100 series of 150 points with normal noise and a level that rises by so many deviations a point. */
export const drifting = (slope: number): readonly Float64Array[] =>
  Array.from({ length: 100 }, (_, seed) =>
    stepped(150, Number.POSITIVE_INFINITY, seed).map((value, index) => value + slope * index),
  );

/** Milliseconds of this process on a processor, median of the rounds after a few to warm up. */
export function cpuMs(rounds: number, work: (round: number) => void): number {
  for (let round = 0; round < Math.ceil(rounds / 5); round++) work(-1 - round);
  return median(
    Array.from({ length: rounds }, (_, round) => {
      const start = process.cpuUsage();
      work(round);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}

/** Milliseconds to append one point and to ask for all levels again. */
export function appendMs(values: Float64Array): number {
  const finder = createChangeFinder();
  for (const value of values) finder.append(value);
  const times = 50;
  const all = cpuMs(5, () => {
    for (let i = 0; i < times; i++) {
      finder.append(values[i] ?? 0);
      finder.levels();
    }
  });
  return all / times;
}
