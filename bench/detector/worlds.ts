import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';

/** Noise of deviation 1, or as near to that as its kind lets say, around 0. */
export type World = (length: number, seed: number) => Float64Array;

/** Kinds of noise that a detector of levels may take for changes. None of them has a change. */
export const WORLDS: readonly (readonly [string, World])[] = [
  ['normal', (length, seed) => draw(length, seed, normal)],
  ['Student with 3 degrees', (length, seed) => draw(length, seed, student)],
  ['exponential', (length, seed) => draw(length, seed, (random) => -Math.log(1 - random()))],
  ['correlation 0.3', autoregressive(0.3)],
  ['correlation 0.6', autoregressive(0.6)],
  ['correlation 0.9', autoregressive(0.9)],
  ['random walk', autoregressive(1)],
  ['weekends 2 deviations higher', on(({ index }) => (index % 7 >= 5 ? 2 : 0))],
  ['cycle of 30, 1 deviation to either side', on(({ index }) => Math.sin((2 * Math.PI * index) / 30))],
  ['cycle of 30, 2 deviations', on(({ index }) => 2 * Math.sin((2 * Math.PI * index) / 30))],
  ['cycle of 47.3, 2 deviations', on(({ index }) => 2 * Math.sin((2 * Math.PI * index) / 47.3))],
  ['two modes, a fifth 5 deviations higher', on(({ random }) => (random() < 0.2 ? 5 : 0))],
  ['modes of 20 points, 5 deviations apart', sticky(20)],
  ['modes of 50 points, 5 deviations apart', sticky(50)],
  ['bursts of 5 points, one in 50 begins one', bursts],
  ['noise doubled for each second 30 points', turns(2)],
  ['noise four times as large', turns(4)],
  [
    'drift of 3 deviations in all',
    (length, seed) => draw(length, seed, normal).map((value, i) => value + (3 * i) / length),
  ],
];

type Random = () => number;

const normal = (random: Random): number => normalQuantile(random() * 0.999998 + 0.000001);

function student(random: Random): number {
  const squares = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
  return normal(random) / Math.sqrt(squares / 3) / Math.sqrt(3);
}

function draw(length: number, seed: number, one: (random: Random) => number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length }, () => one(random));
}

function autoregressive(memory: number): World {
  return (length, seed) => {
    const random = seededRandom(seed);
    const fresh = Math.sqrt(memory < 1 ? 1 - memory ** 2 : 1);
    let last = normal(random);
    return Float64Array.from({ length }, () => {
      last = memory * last + fresh * normal(random);
      return last;
    });
  };
}

/** Normal noise around a level of its own for each point. */
function on(level: (point: { readonly index: number; readonly random: Random }) => number): World {
  return (length, seed) => {
    const random = seededRandom(seed);
    return Float64Array.from({ length }, (_, index) => level({ index, random }) + normal(random));
  };
}

/** Two modes, each left after so many points on average. */
function sticky(points: number): World {
  return (length, seed) => {
    const random = seededRandom(seed);
    let isHigh = false;
    return Float64Array.from({ length }, () => {
      if (random() < 1 / points) isHigh = !isHigh;
      return (isHigh ? 5 : 0) + normal(random);
    });
  };
}

function bursts(length: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  let left = 0;
  return Float64Array.from({ length }, () => {
    left = left > 0 ? left - 1 : random() < 0.02 ? 5 : 0;
    return (left > 0 ? 5 : 0) + normal(random);
  });
}

function turns(factor: number): World {
  return (length, seed) =>
    draw(length, seed, normal).map((value, i) => (Math.floor(i / 30) % 2 === 1 ? factor * value : value));
}
