/** One test of a workload, with the series that it has values of. */
export interface TestOfRound {
  readonly id: string;
  readonly at: number;
  readonly series: ReadonlySet<number>;
}

/** Tests that were meant as one run of a matrix. */
export interface Round {
  /** Start of its first test. */
  readonly at: number;
  readonly tests: readonly TestOfRound[];
}

/** A pause after which tests that come again are no repetitions. */
const PAUSE_MS = 30 * 60_000;
/** A pause that ends a round in any case. */
const LONG_PAUSE_MS = 12 * 3_600_000;
/** So many times the longest pause inside of a round is one between two: somebody started the matrix again. */
const LONGER = 10;

/**
 * Puts tests into rounds, oldest first; documents do not say with which others they ran. A round lasts until a test comes
 * again, and after a pause: without one it is a repetition, and without repetition a large matrix may run for days.
 */
export function roundsOf(tests: readonly TestOfRound[]): readonly Round[] {
  const sorted = tests.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const rounds: { at: number; tests: TestOfRound[] }[] = [];
  let present = new Set<number>();
  let longest = 0;
  let before = 0;
  for (const test of sorted) {
    const pause = test.at - before;
    const round = rounds.at(-1);
    const comesAgain = [...test.series].some((series) => present.has(series));
    const isPause = pause >= PAUSE_MS || (longest > 0 && pause > LONGER * longest);
    if (round && pause < LONG_PAUSE_MS && !(comesAgain && isPause)) {
      round.tests.push(test);
      longest = Math.max(longest, pause);
    } else {
      rounds.push({ at: test.at, tests: [test] });
      present = new Set();
      longest = 0;
    }
    for (const series of test.series) present.add(series);
    before = test.at;
  }
  return rounds;
}
