import type { Series, SeriesKey } from '../../../formats/core/sample.ts';
import { seriesKey } from '../../../home/core/changes/change.ts';
import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import type { SeriesSides } from '../../core/compare/compare-series.ts';
import { isDetail } from '../series/series-values.ts';
import type { ResolvedSide } from './resolve-side.ts';

export interface SideRuns {
  readonly base: readonly BriefRun[];
  readonly head: readonly BriefRun[];
  /** Oldest first. */
  readonly past: readonly BriefRun[];
}

export interface ReadSides {
  readonly sides: readonly SeriesSides[];
  /** Series of spreads and counts that either side has and that were not requested. */
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
  const segments = byMachine(runs.past).map((group) => ({ runs: group, places: placesOf(group) }));
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
    const past = segments.flatMap((segment) => cut(row, segment, steps.of(series)));
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

/** Another machine has another level: each has a segment of its own. */
function byMachine(runs: readonly BriefRun[]): readonly (readonly BriefRun[])[] {
  const groups = new Map<string, BriefRun[]>();
  for (const run of runs) {
    const key = run.machineId ?? '';
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** The values of a segment, parted where the series is known to have changed. */
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

/** Where series changed, as the ledger has it: the start of the first run at the new level. */
export interface KnownSteps {
  of(series: SeriesKey): readonly number[];
}

const MOST_CHANGES = 20_000;

/** A change that was marked as false is ignored; a machine that changed moved all of its series. */
async function readSteps(store: Store): Promise<KnownSteps> {
  const steps = new Map<string, number[]>();
  const everywhere: number[] = [];
  for (const { series, at, state, withdrawnAt } of await store.changes({ limit: MOST_CHANGES })) {
    if (state === 'false' || withdrawnAt !== undefined) continue;
    if (series.kind === 'machine') everywhere.push(at);
    if (series.kind !== 'value') continue;
    const key = seriesKey(series);
    steps.set(key, [...(steps.get(key) ?? []), at]);
  }
  const of = ({ experiment, path }: SeriesKey) => {
    const own = steps.size === 0 ? undefined : steps.get(seriesKey({ kind: 'value', experiment, path }));
    return own === undefined ? everywhere : [...own, ...everywhere];
  };
  return { of };
}

interface BothSides {
  readonly base: ResolvedSide;
  readonly head: ResolvedSide;
}

/**
 * Where the sides have machines in common, only runs on those are compared: a commit that was also measured on a slower
 * machine is not slower. Where they have none, the machines are what is compared.
 */
export function onSharedMachines({
  base,
  head,
}: BothSides): BothSides & { readonly notes: readonly string[] } {
  const own = (side: ResolvedSide) => new Set(side.runs.map(({ machineId }) => machineId));
  const [before, after] = [own(base), own(head)];
  const keep = ({ machineId }: BriefRun) => before.has(machineId) && after.has(machineId);
  const [one, other] = [kept(base, keep), kept(head, keep)];
  if (one === undefined || other === undefined) return { base, head, notes: [] };
  const left = base.runs.length + head.runs.length - one.runs.length - other.runs.length;
  const notes =
    left === 0 ? [] : [`${counted(left, 'run')} left out: the other side has none on that machine.`];
  return { base: one, head: other, notes };
}

function kept(side: ResolvedSide, keep: (run: BriefRun) => boolean): ResolvedSide | undefined {
  const [first, ...rest] = side.runs.filter(keep);
  return first && { ...side, runs: [first, ...rest] };
}
