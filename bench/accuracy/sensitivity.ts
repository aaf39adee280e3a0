import type { Design } from './comparisons.ts';
import { HEAVY, LIGHT, type Noise } from './noise.ts';

/** Bursts that the two sides feel so differently that pairing helps little. */
export const UNEQUAL: Noise = { ...HEAVY, bursts: { ...HEAVY.bursts, rate: 0.08, unequal: 0.4 } };

/** Other noise, other numbers of runs: where the verdict gets weak, and where it gets wrong. */
export const SENSITIVITY: readonly (Design & { readonly name: string })[] = [
  { name: 'as above', noise: LIGHT, runs: 10, iterations: 30 },
  { name: 'twice the run effect', noise: { ...LIGHT, run: 2 * LIGHT.run }, runs: 10, iterations: 30 },
  {
    name: 'own noise 2 % with rho 0.9',
    noise: { ...LIGHT, own: { deviation: 0.02, rho: 0.9 } },
    runs: 10,
    iterations: 30,
  },
  { name: 'heavy bursts, felt unequally by 40 %', noise: UNEQUAL, runs: 10, iterations: 30 },
  { name: '2 runs (Student)', noise: HEAVY, runs: 2, iterations: 30 },
  { name: '3 runs (Student)', noise: HEAVY, runs: 3, iterations: 30 },
  { name: '5 runs (Student)', noise: HEAVY, runs: 5, iterations: 30 },
  { name: '9 runs (Student)', noise: HEAVY, runs: 9, iterations: 30 },
  { name: '20 runs', noise: HEAVY, runs: 20, iterations: 30 },
  {
    name: 'pairs, cores 2 % apart, swapped',
    noise: lanes(0.02, true),
    runs: 20,
    iterations: 1,
  },
  {
    name: 'WRONG: the same, never swapped',
    noise: lanes(0.02, false),
    runs: 20,
    iterations: 1,
  },
  {
    name: 'BLIND: B 10 % slower in a tenth of its runs',
    noise: { ...LIGHT, rareSlowRuns: { chance: 0.1, by: 0.1 } },
    runs: 20,
    iterations: 30,
  },
];

/** Cores that stay fast or slow for some five runs. */
function lanes(deviation: number, swap: boolean): Noise {
  return { ...LIGHT, lane: { deviation, rho: 0.8, swap } };
}
