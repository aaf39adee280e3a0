import { seededRandom } from '../../src/stats/random.ts';
import { runLogRatio } from '../../src/stats/run-ratio.ts';
import { type Machine, makeMachine } from './machine.ts';
import type { Noise } from './noise.ts';

/** How a comparison is made. */
export interface Design {
  readonly noise: Noise;
  readonly runs: number;
  readonly iterations: number;
}

/** Log ratios of all pairs of one run, before any effect of B. */
export type PairsOfRuns = readonly Float64Array[];

/** Simulates duets one after the other on one machine each; the arrays are used again for the next. */
export function* duets({ noise, runs, iterations }: Design, options: Repeat): Generator<PairsOfRuns> {
  const random = seededRandom(options.seed);
  const pairs = Array.from({ length: runs }, () => new Float64Array(iterations));
  const [a, b] = [new Float64Array(iterations), new Float64Array(iterations)];
  for (let repetition = 0; repetition < options.repetitions; repetition++) {
    const machine = makeMachine(noise, random);
    for (const pair of pairs) {
      machine.duet(a, b);
      for (let index = 0; index < iterations; index++) pair[index] = (b[index] ?? 0) - (a[index] ?? 0);
    }
    yield pairs;
  }
}

export interface Repeat {
  readonly repetitions: number;
  readonly seed: number;
}

/** One number a run, as the verdict wants it. */
export function runRatios(pairs: PairsOfRuns): Float64Array {
  return Float64Array.from(pairs, (pair) => runLogRatio(pair));
}

/** Mean log times of runs of either side alone, on one machine: all of A, then all of B; or in turns, drawn for each. */
export interface SoloRuns {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

export function* soloRuns(
  design: Design,
  options: Repeat & { readonly inTurns: boolean },
): Generator<SoloRuns> {
  const { noise, runs, iterations } = design;
  const random = seededRandom(options.seed);
  const sides = { A: new Float64Array(runs), B: new Float64Array(runs) };
  const times = new Float64Array(iterations);
  for (let repetition = 0; repetition < options.repetitions; repetition++) {
    const machine = makeMachine(noise, random);
    const measure = (side: 'A' | 'B', run: number) => {
      sides[side][run] = meanAlone(machine, side, times);
    };
    for (let run = 0; run < runs; run++) {
      const first = options.inTurns && random() < 0.5 ? 'B' : 'A';
      measure(first, run);
      if (options.inTurns) measure(first === 'A' ? 'B' : 'A', run);
    }
    for (let run = 0; run < runs && !options.inTurns; run++) measure('B', run);
    yield { a: sides.A, b: sides.B };
  }
}

function meanAlone(machine: Machine, side: 'A' | 'B', times: Float64Array): number {
  machine.alone(side, times);
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}
