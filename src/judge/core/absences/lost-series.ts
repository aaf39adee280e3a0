import type { JsonObject } from '../../../platform/core/text/json.ts';
import { findMissing } from './missing.ts';

/** One series of a KPI, with its newest values, oldest first. */
export interface WatchedSeries {
  readonly name: string;
  readonly labels: JsonObject;
  readonly times: ArrayLike<number>;
  /** Tests that the values are of. */
  readonly testIds: readonly string[];
}

export type SeriesState =
  | { readonly state: 'here' }
  /** It stopped coming, while series that came together with it go on. */
  | { readonly state: 'missing' }
  /** For so long that it is not expected any more, or another one replaced it. */
  | { readonly state: 'forgotten' };

export interface WorkloadWatch {
  readonly rounds: readonly Round[];
  /** For each series, in the order in which they were given. */
  readonly states: readonly SeriesState[];
}

/** Rounds without it after which a series is not expected any more. */
const FORGOTTEN_ROUNDS = 30;

/** Finds series of one workload that stopped coming: absent from three rounds in a row or more. */
export function watchWorkload(series: readonly WatchedSeries[]): WorkloadWatch {
  const rounds = roundsOf(testsOf(series));
  const attended = attendance(series.length, rounds);
  const spans = attended.map((places) => ({ first: places[0] ?? 0, last: places.at(-1) ?? 0 }));
  // Only rounds of series that existed before count as rounds that a series missed.
  const oldest = rounds.map(() => Number.POSITIVE_INFINITY);
  attended.forEach((places, index) => {
    for (const place of places) oldest[place] = Math.min(oldest[place] ?? 0, spans[index]?.first ?? 0);
  });
  const firstSeen = () => series.map((one, index) => ({ ...one, first: spans[index]?.first ?? 0 }));
  // Rarely needed, and expensive.
  let replacedSince: ReturnType<typeof replacementsOf> | undefined;
  const states = series.map((one, index): SeriesState => {
    const last = spans[index]?.last ?? 0;
    if (last === rounds.length - 1) return { state: 'here' };
    const witnesses = rounds.filter((_, place) => place <= last || (oldest[place] ?? 0) < last);
    const missing = findMissing({
      runs: witnesses.map(({ at }) => ({ at, succeeded: true })),
      seen: (attended[index] ?? []).map((place) => rounds[place]?.at ?? 0),
      now: rounds.at(-1)?.at ?? 0,
    });
    if (missing?.kind !== 'series') return { state: 'here' };
    replacedSince ??= replacementsOf(firstSeen());
    const isForgotten = missing.missed > FORGOTTEN_ROUNDS || replacedSince(one, last);
    return { state: isForgotten ? 'forgotten' : 'missing' };
  });
  return { rounds, states };
}

function testsOf(series: readonly WatchedSeries[]) {
  const tests = new Map<string, { readonly id: string; readonly at: number; readonly series: Set<number> }>();
  series.forEach(({ times, testIds }, index) => {
    testIds.forEach((id, place) => {
      const test = tests.get(id) ?? { id, at: times[place] ?? 0, series: new Set() };
      test.series.add(index);
      tests.set(id, test);
    });
  });
  return [...tests.values()];
}

/** The rounds in which each series was there. */
function attendance(count: number, rounds: readonly Round[]): readonly (readonly number[])[] {
  const attended: number[][] = Array.from({ length: count }, () => []);
  rounds.forEach(({ tests }, place) => {
    for (const { series } of tests)
      for (const index of series) {
        const places = attended[index];
        if (places && places.at(-1) !== place) places.push(place);
      }
  });
  return attended;
}

interface FirstSeen {
  readonly name: string;
  readonly labels: JsonObject;
  /** The first round that had it. */
  readonly first: number;
}

/** More ways to move on than a workload has. */
const MAX_WAYS = 16;

/**
 * Whether another series replaced one since its last round: a version that moved on, a label that was added.
 * It has the same name, and differs in one label only, or in labels whose values were new together with it.
 */
function replacementsOf(
  all: readonly FirstSeen[],
): (series: Pick<FirstSeen, 'name' | 'labels'>, last: number) => boolean {
  const firstOf = new Map<string, number>();
  const valuesOf = ({ labels }: Pick<FirstSeen, 'labels'>) =>
    Object.entries(labels).map(([label, value]) => [label, JSON.stringify([label, value])] as const);
  for (const one of all)
    for (const [, value] of valuesOf(one))
      firstOf.set(value, Math.min(firstOf.get(value) ?? one.first, one.first));

  const newest = new Map<string, number>();
  const ways = new Map<string, Map<string, readonly string[]>>();
  for (const one of all) {
    const fresh = valuesOf(one).flatMap(([label, value]) =>
      firstOf.get(value) === one.first ? [label] : [],
    );
    const own = ways.get(one.name) ?? new Map<string, readonly string[]>();
    if (fresh.length > 1 && own.size < MAX_WAYS) own.set(fresh.join('\n'), fresh);
    ways.set(one.name, own);
    for (const left of [...oneLess(one), fresh]) {
      const key = keyOf(one, left);
      newest.set(key, Math.max(newest.get(key) ?? 0, one.first));
    }
  }
  return (series, last) =>
    [...oneLess(series), ...(ways.get(series.name)?.values() ?? [])].some(
      (left) => (newest.get(keyOf(series, left)) ?? -1) >= last,
    );
}

/** No label, or one, left out. */
function oneLess({ labels }: Pick<FirstSeen, 'labels'>): readonly (readonly string[])[] {
  return [[], ...Object.keys(labels).map((label) => [label])];
}

function keyOf({ name, labels }: Pick<FirstSeen, 'name' | 'labels'>, left: readonly string[]): string {
  const kept = Object.entries(labels).filter(([label]) => !left.includes(label));
  return JSON.stringify([name, kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))]);
}

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

/** A pause after which tests that come again are not repetitions. */
const PAUSE_MS = 30 * 60_000;
/** A pause that ends a round in any case. */
const LONG_PAUSE_MS = 12 * 3_600_000;
/** So many times the longest pause inside of a round is one between two: somebody started the matrix again. */
const LONGER = 10;

/**
 * Puts tests into rounds, oldest first; documents do not say with which others they ran. A round lasts until a test comes
 * again, and after a pause: without one it is a repetition, and without repetition a large matrix may run for days.
 */
function roundsOf(tests: readonly TestOfRound[]): readonly Round[] {
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
