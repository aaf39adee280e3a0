import type { SeriesKey } from '../../../formats/core/sample.ts';
import { placeSamples } from '../../../formats/core/sample-data.ts';
import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { onSharedMachines } from './read-sides.ts';
import type { CompareEffects } from './resolve-side.ts';
import { type RequestedSides, resolveSides } from './side-choices.ts';

/** One series of a comparison, run by run. */
export interface ComparedSeriesView extends SeriesKey {
  readonly unit: string;
  readonly base: readonly RunValue[];
  readonly head: readonly RunValue[];
  /** Its last values up to the later side, oldest first. */
  readonly history: { readonly values: readonly (number | null)[]; readonly runIds: readonly string[] };
}

export interface RunValue {
  readonly runId: string;
  readonly startedAt: number;
  readonly value: number;
  /** What was measured within the run, where it was recorded; the first ones. */
  readonly samples?: readonly number[];
  /** How many there are. */
  readonly sampleCount?: number;
}

const HISTORY = 30;
const MOST_SAMPLES = 1_000;
/** Runs of a side whose samples are read. */
const WITH_SAMPLES = 10;
const MOST_SERIES = 1_000_000;

/** Undefined where no such series is known. */
export async function readComparedSeries(
  { experiment, path, ...asked }: RequestedSides & SeriesKey,
  effects: CompareEffects,
): Promise<ComparedSeriesView | undefined> {
  const { store } = effects;
  const key = JSON.stringify(path);
  const all = await store.series({ experiment, limit: MOST_SERIES });
  const series = all.find((one) => JSON.stringify(one.path) === key);
  if (!series) return undefined;
  const { base, head } = onSharedMachines(await resolveSides(asked, effects));
  const until = Math.max(base.runs[0].startedAt, head.runs[0].startedAt);
  const { values, runIds } = await store.history(series.id, { limit: HISTORY, to: until });
  return {
    ...{ experiment, path, unit: series.unit },
    base: await valuesOf({ id: series.id, experiment, path }, base.runs, store),
    head: await valuesOf({ id: series.id, experiment, path }, head.runs, store),
    history: { values: Array.from(values, (value) => (Number.isFinite(value) ? value : null)), runIds },
  };
}

async function valuesOf(
  { id, experiment, path }: SeriesKey & { readonly id: number },
  runs: readonly BriefRun[],
  store: Store,
): Promise<readonly RunValue[]> {
  const key = JSON.stringify(path);
  const found: RunValue[] = [];
  for (const [place, { id: runId, startedAt }] of runs.entries()) {
    const { values, runIds } = await store.history(id, { limit: 100, from: startedAt, to: startedAt });
    const value = values[runIds.indexOf(runId)];
    if (value === undefined || !Number.isFinite(value)) continue;
    const sets = place < WITH_SAMPLES ? await store.samplesOf(runId, experiment) : [];
    const placed = placeSamples(sets).find((one) => JSON.stringify(one.path) === key);
    const samples = placed?.set.values.filter(Number.isFinite) ?? [];
    found.push({
      ...{ runId, startedAt, value },
      ...(samples.length > 1 && { samples: samples.slice(0, MOST_SAMPLES), sampleCount: samples.length }),
    });
  }
  return found;
}
