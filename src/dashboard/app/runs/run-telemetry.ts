import { keepExtremes } from '../../../charts/core/thinning.ts';
import type { PointColumns } from '../../../formats/core/sample.ts';
import { type DisturbedRange, disturbedRanges } from '../../../home/core/machine/disturbed-ranges.ts';
import type { Store } from '../../../home/core/store.ts';

/** What the machine did during a run. */
export interface TelemetryView {
  readonly series: readonly TelemetrySeries[];
  readonly disturbed: readonly DisturbedRange[];
}

/** One reading of the machine over time, no more of it than a chart shows. */
export interface TelemetrySeries {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly unit: string;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  /** JSON has no NaN: null is one. */
  readonly values: readonly (number | null)[];
  /** How many readings there are. */
  readonly count: number;
}

/** More than a screen has columns. */
const READINGS = 2_000;

/** Of a whole run, or of one experiment in it. */
export async function readTelemetry(
  { runId, experiment }: { readonly runId: string; readonly experiment?: string | undefined },
  store: Store,
): Promise<TelemetryView> {
  const all = await store.pointsOf(runId);
  const wanted = experiment === undefined ? all : all.filter(({ tags }) => tags['experiment'] === experiment);
  return { series: wanted.map(toView), disturbed: disturbedRanges(wanted) };
}

function toView({ name, tags, unit, times, values }: PointColumns): TelemetrySeries {
  const kept = Array.from(keepExtremes(values, READINGS));
  return {
    name,
    tags,
    unit,
    times: kept.map((place) => times[place] as number), // a place of the columns
    values: kept.map((place) => values[place] as number),
    count: values.length,
  };
}
