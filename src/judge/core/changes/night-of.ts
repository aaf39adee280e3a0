/** When and where one value was measured. */
export interface Measurement {
  readonly machine: string;
  /** Run of a night, or test of a matrix. */
  readonly runId: string;
  readonly at: number;
  readonly isTest: boolean;
}

/** The first measurement of a night names it. */
export type NightKey = Pick<Measurement, 'runId' | 'at'>;

/** Tests that are further apart, or further from their night, are of another one. */
const HALF_DAY_MS = 12 * 3_600_000;

/**
 * Which values a machine would have moved together. A run is a night; tests of a matrix belong to the night of their
 * machine that began in the twelve hours before, or else to other tests that are less than that apart.
 */
export function nightsOf(measurements: readonly Measurement[]): (measurement: Measurement) => NightKey {
  const runs = new Map<string, NightKey[]>();
  const tests = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    const lists: Map<string, NightKey[]> = measurement.isTest ? tests : runs;
    const list = lists.get(measurement.machine);
    if (list) list.push(measurement);
    else lists.set(measurement.machine, [measurement]);
  }
  for (const list of [...runs.values(), ...tests.values()]) list.sort(byTime);
  const nights = new Map<string, NightKey>();
  for (const [machine, list] of tests) {
    let last: { readonly at: number; readonly night: NightKey } | undefined;
    for (const { at, runId } of list) {
      const night: NightKey =
        nightBefore(runs.get(machine) ?? [], at) ??
        (last && at - last.at < HALF_DAY_MS ? last.night : { at, runId });
      last = { at, night };
      nights.set(keyOf(machine, runId), night);
    }
  }
  return (measurement) =>
    (measurement.isTest && nights.get(keyOf(measurement.machine, measurement.runId))) || measurement;
}

const byTime = (a: NightKey, b: NightKey) => a.at - b.at || (a.runId < b.runId ? -1 : 1);
const keyOf = (machine: string, runId: string) => JSON.stringify([machine, runId]);

function nightBefore(runs: readonly NightKey[], at: number): NightKey | undefined {
  let [from, to] = [0, runs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((runs[middle]?.at ?? 0) <= at) from = middle + 1;
    else to = middle;
  }
  const run = runs[from - 1];
  return run && at - run.at < HALF_DAY_MS ? run : undefined;
}
