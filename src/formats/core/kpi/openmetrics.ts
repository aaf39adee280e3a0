import { quantile, summarize } from '../../../stats/summary.ts';
import type { KpiPoint } from './kpi.ts';
import { type MetricName, metricLabels, metricName } from './metric-names.ts';

export interface OpenMetricsText {
  readonly text: string;
  /** What could not be said, one sentence each. */
  readonly leftOut: readonly string[];
}

/**
 * The text of https://prometheus.io/docs/specs/om/open_metrics_spec/ (1.0). Without times it has the newest value of each series,
 * and a metric that says how old it is: Prometheus refuses values of long ago. With times it has them all, for backfilling.
 */
export function openMetricsText(
  points: readonly KpiPoint[],
  { hasTimes = false }: { readonly hasTimes?: boolean } = {},
): OpenMetricsText {
  const families = new Map<string, Family>();
  const leftOut: string[] = [];
  for (const point of points) {
    if (point.value === null || (typeof point.value === 'object' && point.value.length === 0)) {
      leftOut.push(`${point.name} has no value${testWords(point)}`);
    } else if (hasTimes && Number.isNaN(point.at))
      leftOut.push(`${point.name} has no time${testWords(point)}`);
    else for (const metric of metricsOf(point, point.value, hasTimes)) addTo(families, metric, leftOut);
  }
  const sorted = [...families].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = sorted.map(([name, family]) => familyText(name, family, hasTimes)).join('');
  return { text: `${text}# EOF\n`, leftOut: [...new Set(leftOut)] };
}

export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

interface Metric {
  /** The KPI, to which the family belongs. */
  readonly owner: string;
  readonly metric: MetricName;
  readonly help: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
  readonly at: number;
}

interface Family {
  readonly owner: string;
  readonly unit: string;
  readonly help: string;
  /** By the text of the labels; times and values of each. */
  readonly series: Map<string, Map<number, number>>;
}

/** Name of the label that says which number of a list it is. */
const STATISTIC = 'stat';
const AGE_METRIC: MetricName = { name: 'nightmark_kpi_timestamp_seconds', unit: 'seconds' };

function metricsOf(point: KpiPoint, value: number | readonly number[], hasTimes: boolean): readonly Metric[] {
  const { name, help, at } = point;
  const metric = metricName(name, point.unit);
  const labels = metricLabels(point.labels, [STATISTIC, 'kpi']);
  const base = { owner: name, metric, help, labels, at };
  const values = typeof value === 'number' ? [{ ...base, value }] : listMetrics(base, value);
  if (hasTimes || Number.isNaN(at)) return values;
  const age: Metric = {
    owner: AGE_METRIC.name,
    metric: AGE_METRIC,
    help: 'When the test began whose KPI is shown',
    labels: new Map([['kpi', metric.name], ...labels]),
    value: at / 1000,
    at,
  };
  return [...values, age];
}

/** A list has no place in a sample: what can be said of it is shown. */
function listMetrics(base: Omit<Metric, 'value'>, values: readonly number[]): readonly Metric[] {
  const { min, median, mean, max, n } = summarize(values);
  const p90 = quantile(values, 0.9);
  const told = Object.entries({ min, p50: median, mean, p90, max }).map(([name, value]) => ({
    ...base,
    labels: new Map([...base.labels, [STATISTIC, name]]),
    value,
  }));
  const count = { name: `${metricName(base.owner, '').name}_values`, unit: '' };
  return [...told, { ...base, metric: count, help: `${base.help} (number of values)`, value: n }];
}

function addTo(families: Map<string, Family>, metric: Metric, leftOut: string[]): void {
  const { name, unit } = metric.metric;
  const { owner, help } = metric;
  const family = families.get(name) ?? { owner, unit, help, series: new Map() };
  if (family.owner !== owner) {
    leftOut.push(`${owner} has the same metric name as ${family.owner}: ${name}`);
    return;
  }
  families.set(name, family);
  const labels = [...metric.labels].map(([label, text]) => `${label}="${escaped(text)}"`).join(',');
  const series = family.series.get(labels) ?? new Map<number, number>();
  family.series.set(labels, series.set(metric.at, metric.value));
}

function familyText(name: string, { unit, help, series }: Family, hasTimes: boolean): string {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} gauge`];
  if (unit !== '') lines.push(`# UNIT ${name} ${unit}`);
  for (const [labels, values] of [...series].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const id = labels === '' ? name : `${name}{${labels}}`;
    const byTime = [...values].sort(([a], [b]) => time(a) - time(b));
    for (const [at, value] of hasTimes ? byTime : byTime.slice(-1)) {
      lines.push(`${id} ${value}${hasTimes ? ` ${at / 1000}` : ''}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A value whose time is not known is older than all others. */
function time(at: number): number {
  return Number.isNaN(at) ? -Number.MAX_VALUE : at;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function testWords({ labels }: KpiPoint): string {
  const words = [...metricLabels(labels)].map(([name, text]) => `${name}=${text}`);
  return words.length === 0 ? '' : ` at ${words.join(', ')}`;
}
