import type { Series } from '../../../formats/core/sample.ts';
import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { SeriesSides } from '../../core/compare/compare-series.ts';
import { isDetail } from '../read-values.ts';
import { type KnownSteps, readSteps } from './known-steps.ts';

export interface SideRuns {
  readonly base: readonly BriefRun[];
  readonly head: readonly BriefRun[];
  /** Oldest first. */
  readonly past: readonly BriefRun[];
}

export interface ReadSides {
  readonly sides: readonly SeriesSides[];
  /** Series of spreads and counts that either side has and that were not asked for. */
  readonly details: number;
}

const MOST_SERIES = 1_000_000;

/** The values of both sides and of the past, of every series that either side has. */
export async function readSides(
  runs: SideRuns,
  { withDetails, failed }: { readonly withDetails: boolean; readonly failed: ReadonlySet<string> },
  store: Store,
): Promise<ReadSides> {
  const wanted = distinct([...runs.base, ...runs.head, ...runs.past]);
  const place = new Map(wanted.map(({ id }, index) => [id, index]));
  const placesOf = (some: readonly BriefRun[]) => some.map(({ id }) => place.get(id) ?? 0);
  const columns = gather(await store.valuesOf(wanted), wanted.length);
  const steps = await readSteps(store);
  const [base, head] = [placesOf(runs.base), placesOf(runs.head)];
  const stretches = byMachine(runs.past).map((group) => ({ runs: group, places: placesOf(group) }));
  const sides: SeriesSides[] = [];
  let details = 0;
  for (const { id, ...series } of await store.series({ limit: MOST_SERIES })) {
    const row = columns.get(id);
    if (row === undefined) continue;
    const [before, after] = [valuesAt(row, base), valuesAt(row, head)];
    if (before.length === 0 && after.length === 0) continue;
    if (isDetail(series) && !withDetails) {
      details++;
      continue;
    }
    const past = stretches.flatMap((stretch) => cut(row, stretch, steps.of(series)));
    sides.push({ series, base: before, head: after, past, hasFailed: failed.has(series.experiment) });
  }
  return { sides, details };
}

function distinct(runs: readonly BriefRun[]): readonly BriefRun[] {
  return [...new Map(runs.map((run) => [run.id, run])).values()];
}

/** For each series one place for every run; no number where it has no value. */
function gather(
  { series, runs, values }: Awaited<ReturnType<Store['valuesOf']>>,
  count: number,
): ReadonlyMap<Series['id'], Float64Array> {
  const columns = new Map<number, Float64Array>();
  for (let index = 0; index < series.length; index++) {
    const id = series[index] ?? 0;
    let row = columns.get(id);
    if (row === undefined) {
      row = new Float64Array(count).fill(Number.NaN);
      columns.set(id, row);
    }
    row[runs[index] ?? 0] = values[index] ?? Number.NaN;
  }
  return columns;
}

function valuesAt(row: Float64Array, places: readonly number[]): Float64Array {
  const found = new Float64Array(places.length);
  let count = 0;
  for (const place of places) {
    const value = row[place] ?? Number.NaN;
    if (Number.isFinite(value)) found[count++] = value;
  }
  return found.subarray(0, count);
}

/** Another machine has another level: each makes a stretch of its own. */
function byMachine(runs: readonly BriefRun[]): readonly (readonly BriefRun[])[] {
  const groups = new Map<string, BriefRun[]>();
  for (const run of runs) {
    const key = run.machineId ?? '';
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** The values of a stretch, parted where the series is known to have changed. */
function cut(
  row: Float64Array,
  { runs, places }: { readonly runs: readonly BriefRun[]; readonly places: readonly number[] },
  steps: ReturnType<KnownSteps['of']>,
): readonly Float64Array[] {
  if (steps.length === 0) return [valuesAt(row, places)];
  const parts: number[][] = [[]];
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]?.startedAt ?? Number.NEGATIVE_INFINITY;
    if (steps.some((at) => at > before && at <= run.startedAt)) parts.push([]);
    parts.at(-1)?.push(places[index] ?? 0);
  }
  return parts.map((part) => valuesAt(row, part));
}
