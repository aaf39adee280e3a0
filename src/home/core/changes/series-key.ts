import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Absentee, JudgedSeries } from './change-record.ts';

/** The same text for the same series, whoever made it. */
export function seriesKey(series: Absentee): string {
  switch (series.kind) {
    case 'value':
      return JSON.stringify(['value', series.experiment, ...series.path]);
    case 'kpi':
      return JSON.stringify(['kpi', series.name, sorted(series.labels)]);
    case 'machine':
      return JSON.stringify(['machine', series.machine, series.measure]);
    case 'experiment':
      return JSON.stringify(['experiment', series.experiment]);
    case 'workload':
      return JSON.stringify(['workload', series.workload]);
  }
}

/** The series in a word: "sort/cpu/A", "latency{cpu=2, version=1.0}", "machine bench-1 (speed)". */
export function seriesText(series: JudgedSeries): string {
  if (series.kind === 'value') return [series.experiment, ...series.path].join('/');
  if (series.kind === 'machine') return `machine ${series.machine} (${series.measure})`;
  const labels = Object.entries(series.labels).map(([name, value]) => `${name}=${labelText(value)}`);
  return labels.length === 0 ? series.name : `${series.name}{${labels.join(', ')}}`;
}

/** What `--metric` and `ignore` look at: the path below the experiment, or the name of the KPI. */
export function metricText(series: JudgedSeries): string {
  if (series.kind === 'machine') return series.measure;
  return series.kind === 'value' ? series.path.join('/') : series.name;
}

function labelText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function sorted(labels: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
