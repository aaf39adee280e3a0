import { LEAST_HISTORY } from '../newest/judge-newest.ts';
import { newCentre } from '../newest/value-noise.ts';

/** A value with when it was measured; NaN where that is unknown. */
export interface Repeat {
  readonly value: number;
  readonly at: number;
}

/**
 * All values that share their outermost level, such as a version: one point of the statistics, however many repeats it has.
 * Its nights have something in common beyond that, so they are kept apart. Neither is ever empty.
 */
export interface Unit<R extends Repeat = Repeat> {
  readonly nights: readonly (readonly R[])[];
}

/** Tests that are further apart are of another night. */
const HALF_DAY_MS = 12 * 3_600_000;

/** The value of a test, under the name of its version or of what else is compared. */
export interface NamedRepeat extends Repeat {
  readonly name: string;
  readonly testId: string;
}

export interface ComparedUnits {
  readonly history: readonly Unit<NamedRepeat>[];
  readonly newest: readonly Unit[];
  readonly notes: readonly string[];
}

/**
 * The unit is the outermost level that varies: the version. Where there are none, or too few for their spread to be known,
 * it is the night; never the repeat, since what the newest night did to all its repeats cannot be seen in them.
 */
export function unitsToCompare(
  history: readonly NamedRepeat[],
  newest: readonly Repeat[],
  { isByVersion }: { readonly isByVersion: boolean },
): ComparedUnits {
  const versions = unitsOf(history, ({ name }) => (isByVersion ? name : ''));
  const current = unitsOf(newest, () => '');
  if (isByVersion && versions.length >= LEAST_HISTORY)
    return { history: versions, newest: current, notes: [] };
  const nights = nightUnits(versions);
  const isInstead = isByVersion && nights.length > versions.length;
  const notes = isInstead
    ? [`${versions.length} earlier versions are too few: ${nights.length} nights are compared instead.`]
    : [];
  return { history: nights, newest: nightUnits(current), notes };
}

/** Values with the same key as units, in the order in which keys are met. */
export function unitsOf<R extends Repeat>(
  repeats: readonly R[],
  keyOf: (repeat: R) => string,
): readonly Unit<R>[] {
  const byKey = new Map<string, R[]>();
  for (const repeat of repeats) {
    const key = keyOf(repeat);
    const known = byKey.get(key);
    if (known) known.push(repeat);
    else byKey.set(key, [repeat]);
  }
  return [...byKey.values()].map((members) => ({ nights: nightsAmong(members) }));
}

/** Each night as a unit of its own: where nothing is above it that varies. */
export function nightUnits<R extends Repeat>(units: readonly Unit<R>[]): readonly Unit<R>[] {
  return units.flatMap(({ nights }) => nights.map((night) => ({ nights: [night] })));
}

function nightsAmong<R extends Repeat>(repeats: readonly R[]): readonly (readonly R[])[] {
  const sorted = [...repeats].sort((a, b) => timeOf(a) - timeOf(b));
  const nights: R[][] = [];
  for (const repeat of sorted) {
    const last = nights.at(-1);
    const before = last?.at(-1);
    if (last && before && timeOf(repeat) - timeOf(before) < HALF_DAY_MS) last.push(repeat);
    else nights.push([repeat]);
  }
  return nights;
}

function timeOf({ at }: Repeat): number {
  return Number.isNaN(at) ? Number.MIN_SAFE_INTEGER : at;
}

/** One number for a unit: the centre of its nights, each the centre of its repeats. */
export function unitValue({ nights }: Unit): number {
  const centre = (values: readonly number[]) => newCentre(Float64Array.from(values));
  return centre(nights.map((night) => centre(night.map(({ value }) => value))));
}

export function repeatsOf<R extends Repeat>({ nights }: Unit<R>): readonly R[] {
  return nights.flat();
}

/**
 * A unit with no more nights and repeats than another, the first ones: only then do both vary alike. A mean of ten nights
 * varies less than one night does, and would make that look like a change.
 */
export function asFewAs<R extends Repeat>(unit: Unit<R>, { nights: others }: Unit): Unit<R> {
  const nights = unit.nights
    .slice(0, others.length)
    .map((night, place) => night.slice(0, others[place]?.length ?? night.length));
  return { nights };
}

/**
 * How much each unit counts where some rest on more repeats: by the variance that its value has, which repeats reduce and
 * what units differ by does not. Undefined where all have as many, or repeats do not differ.
 */
export function unitWeights(units: readonly Unit[]): Float64Array | undefined {
  const counts = units.map((unit) => repeatsOf(unit).length);
  if (counts.every((count) => count === counts[0])) return undefined;
  const within = varianceWithin(units);
  const values = units.map(unitValue);
  const inner = counts.map((count) => within / count);
  // Half of the mean square of neighbours' distances; a step in it makes the weights more equal, which does no harm.
  const total = mean(values.slice(1).map((value, place) => (value - (values[place] ?? 0)) ** 2 / 2));
  const between = Math.max(0, total - mean(inner));
  const variances = Float64Array.from(inner, (own) => between + own);
  const usual = mean([...variances]);
  return within > 0 ? variances.map((variance) => usual / variance) : undefined;
}

function varianceWithin(units: readonly Unit[]): number {
  let [squares, freedom] = [0, 0];
  for (const unit of units) {
    const values = repeatsOf(unit).map(({ value }) => value);
    const centre = mean(values);
    for (const value of values) squares += (value - centre) ** 2;
    freedom += values.length - 1;
  }
  return freedom > 0 ? squares / freedom : 0;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A history with one value a night. */
export interface NightlyHistory {
  readonly values: Float64Array;
  /** Of the first test of each night, among all tests. */
  readonly places: readonly number[];
  /** How much each counts; absent where all count the same. */
  readonly weights?: Float64Array;
}

/** Tests of one series as nights: what began less than twelve hours after the one before is a repeat. Gaps are left out. */
export function nightlyHistory(values: Float64Array, times: ArrayLike<number>): NightlyHistory {
  const tests = Array.from(values, (value, place) => ({ value, at: times[place] ?? Number.NaN, place }));
  const nights = nightUnits(
    unitsOf(
      tests.filter(({ value }) => Number.isFinite(value)),
      () => '',
    ),
  );
  const weights = unitWeights(nights);
  return {
    values: Float64Array.from(nights, unitValue),
    places: nights.map((night) => repeatsOf(night)[0]?.place ?? 0),
    ...(weights && { weights }),
  };
}
