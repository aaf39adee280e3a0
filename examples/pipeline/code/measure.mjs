// Counts what a sort compares: the same on every machine, so that one run is enough.
import { sort } from './sort.mjs';

const random = generator(Number(process.env.NIGHTMARK_SEED ?? 1));
const lists = {
  random: Array.from({ length: 512 }, random),
  rising: Array.from({ length: 512 }, (_, place) => place),
};
console.log('list,comparisons');
for (const [name, list] of Object.entries(lists)) {
  let comparisons = 0;
  const sorted = sort(list, (a, b) => {
    comparisons++;
    return a - b;
  });
  if (sorted.some((value, place) => place > 0 && value < sorted[place - 1]))
    throw new Error(`${name}: not sorted`);
  console.log(`${name},${comparisons}`);
}

/** A linear congruential generator with the constants of Numerical Recipes. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}
