import type { JsonObject } from '../../../platform/core/text/json.ts';
import { findMissing } from './missing.ts';
import { replacementsOf } from './replaced-series.ts';
import { type Round, roundsOf } from './rounds.ts';

/** One series of a KPI, with its newest values, oldest first. */
export interface WatchedSeries {
  readonly name: string;
  readonly labels: JsonObject;
  readonly times: ArrayLike<number>;
  /** Tests that the values are of. */
  readonly testIds: readonly string[];
}

export type SeriesFate =
  | { readonly state: 'here' }
  /** It stopped coming, while series that came together with it go on. */
  | { readonly state: 'missing' }
  /** For so long that nobody waits for it, or another one took its place. */
  | { readonly state: 'forgotten' };

export interface WorkloadWatch {
  readonly rounds: readonly Round[];
  /** For each series, in the order in which they were given. */
  readonly fates: readonly SeriesFate[];
}

/** Rounds without it after which nobody waits for a series. */
const FORGOTTEN_ROUNDS = 30;

/** Looks for series of one workload that stopped coming. Left out of fewer than three rounds in a row, none has. */
export function watchWorkload(series: readonly WatchedSeries[]): WorkloadWatch {
  const rounds = roundsOf(testsOf(series));
  const attended = attendance(series.length, rounds);
  const spans = attended.map((places) => ({ first: places[0] ?? 0, last: places.at(-1) ?? 0 }));
  // Only one that was there before can tell of another that it stayed away.
  const oldest = rounds.map(() => Number.POSITIVE_INFINITY);
  attended.forEach((places, index) => {
    for (const place of places) oldest[place] = Math.min(oldest[place] ?? 0, spans[index]?.first ?? 0);
  });
  const born = () => series.map((one, index) => ({ ...one, first: spans[index]?.first ?? 0 }));
  // Seldom needed, and dear.
  let replacedSince: ReturnType<typeof replacementsOf> | undefined;
  const fates = series.map((one, index): SeriesFate => {
    const last = spans[index]?.last ?? 0;
    if (last === rounds.length - 1) return { state: 'here' };
    const witnesses = rounds.filter((_, place) => place <= last || (oldest[place] ?? 0) < last);
    const missing = findMissing({
      runs: witnesses.map(({ at }) => ({ at, succeeded: true })),
      seen: (attended[index] ?? []).map((place) => rounds[place]?.at ?? 0),
      now: rounds.at(-1)?.at ?? 0,
    });
    if (missing?.kind !== 'series') return { state: 'here' };
    replacedSince ??= replacementsOf(born());
    const isForgotten = missing.missed > FORGOTTEN_ROUNDS || replacedSince(one, last);
    return { state: isForgotten ? 'forgotten' : 'missing' };
  });
  return { rounds, fates };
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
