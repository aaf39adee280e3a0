import { thinOut } from '../../../charts/core/thinning.ts';
import type { PointColumns } from '../../../formats/core/sample.ts';
import type { Store } from '../../../home/core/store.ts';
import { median } from '../../../stats/summary.ts';
import type { SensorView, TelemetryView } from './machine-view.ts';
import type { MachineGroup } from './read-machines.ts';

const SENSORS = 24;
/** Columns of pixels that a line is thinned out for. */
const PIXELS = 300;
/** Runs that are looked through for telemetry, from the newest on. */
const LOOKED_AT = 20;

/** What was recorded in the run that is named, or else in the newest one with telemetry. */
export async function readTelemetry(
  { runs }: MachineGroup,
  runId: string | undefined,
  store: Store,
): Promise<TelemetryView | undefined> {
  const wanted = runs.filter(({ id }) => runId === undefined || id === runId).slice(0, LOOKED_AT);
  for (const { id } of wanted) {
    const columns = await store.pointsOf(id);
    if (columns.length === 0) continue;
    // What moves is looked at first: most sensors of a machine never change.
    const sensors = columns.map(toSensor).sort((a, b) => swing(b) - swing(a));
    return { runId: id, sensors: sensors.slice(0, SENSORS), hidden: Math.max(0, sensors.length - SENSORS) };
  }
  return undefined;
}

function toSensor({ name, tags, unit, times, values }: PointColumns): SensorView {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const width = last - first || 1;
  const pixels = times.map((time) => ((time - first) / width) * PIXELS);
  const kept = thinOut(pixels, values);
  const numbers = values.filter(Number.isFinite);
  return {
    ...{ name, tags, unit, points: numbers.length },
    low: numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    high: numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY),
    median: numbers.length > 0 ? median(numbers) : 0,
    times: kept.map((place) => times[place] ?? 0),
    values: kept.map((place) => values[place] ?? 0),
  };
}

/** How far it moves, against its height. */
function swing({ low, high, median: middle }: SensorView): number {
  return (high - low) / (Math.abs(middle) || 1);
}
