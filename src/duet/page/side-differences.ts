import type { DuetBenchmark, DuetSide } from '../core/duet.ts';

interface SideDifferences {
  /** Name, value of A, value of B. */
  readonly different: readonly (readonly [string, string, string])[];
  /** Settings that are the same on both sides. */
  readonly same: readonly (readonly [string, string])[];
}

/** Settings in which the two sides differ, and those that are the same. */
export function sideDifferences({ sides: { A, B } }: Pick<DuetBenchmark, 'sides'>): SideDifferences {
  const different: (readonly [string, string, string])[] = [];
  const same: (readonly [string, string])[] = [];
  for (const [name, of] of SETTINGS) {
    const [a, b] = [of(A), of(B)];
    if (a !== b) different.push([name, a, b]);
    else if (a !== '') same.push([name, a]);
  }
  return { different, same };
}

const SETTINGS: readonly (readonly [string, (side: DuetSide) => string])[] = [
  ['command', ({ command }) => command],
  ['command with a barrier', ({ syncCommand = '' }) => syncCommand],
  ['image', ({ image = 'a process of the machine' }) => image],
  ['results', ({ results }) => results.join(', ')],
];
