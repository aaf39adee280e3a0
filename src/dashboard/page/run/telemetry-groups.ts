import type { StageResult } from '../../../home/core/run.ts';
import type { TelemetrySeries } from '../../app/runs/run-telemetry.ts';

/** Readings of one kind and unit: they share a chart. */
export interface TelemetryGroup {
  readonly name: string;
  readonly unit: string;
  readonly lines: readonly TelemetryLine[];
  /** Lines beyond those that are drawn. */
  readonly hidden: number;
}

interface TelemetryLine {
  readonly label: string;
  readonly series: TelemetrySeries;
}

/** More lines are a grey surface. */
const LINES = 64;

/** In the order of their names: "cpu.proc-load" becomes "cpu: proc-load". */
export function groupTelemetry(series: readonly TelemetrySeries[]): readonly TelemetryGroup[] {
  const groups = new Map<string, TelemetrySeries[]>();
  for (const one of series) {
    const key = JSON.stringify([one.name, one.unit]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((group) => {
    const several = new Set(group.map(({ tags }) => tags['experiment'])).size > 1;
    const lines = group
      .map((one) => ({ label: labelOf(one, several), series: one }))
      .sort((a, b) => ORDER.compare(a.label, b.label))
      .slice(0, LINES);
    return {
      name: group[0]?.name.replace('.', ': ') ?? '',
      unit: group[0]?.unit ?? '',
      lines,
      hidden: group.length - lines.length,
    };
  });
}

/** "cpu 2" before "cpu 10". */
const ORDER = new Intl.Collator('en', { numeric: true });

/** What distinguishes a line from the others of its chart. */
function labelOf({ tags, name }: TelemetrySeries, several: boolean): string {
  const own = Object.entries(tags)
    .filter(([key]) => key !== 'experiment')
    .map(([key, value]) => (key === 'gpu' ? `gpu ${value}` : value));
  return [...(several ? [tags['experiment'] ?? ''] : []), ...own].join(' ') || name;
}

/** From the first to the last thing that is known; undefined: there is none. */
export function spanOf(
  stages: readonly Pick<StageResult, 'startedAt' | 'durationMs'>[],
  series: readonly Pick<TelemetrySeries, 'times'>[],
): readonly [number, number] | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const include = (at: number | undefined) => {
    if (at === undefined || !Number.isFinite(at)) return;
    from = Math.min(from, at);
    to = Math.max(to, at);
  };
  for (const { startedAt, durationMs } of stages) {
    include(startedAt);
    include(startedAt + durationMs);
  }
  for (const { times } of series) {
    include(times[0]);
    include(times.at(-1));
  }
  if (from > to) return undefined;
  return from === to ? [from, from + 1] : [from, to];
}
