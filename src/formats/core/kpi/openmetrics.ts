import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { quantile, summarize } from '../../../stats/summary.ts';
import type { KpiPoint } from './kpi.ts';

interface OpenMetricsText {
  readonly text: string;
  /** What could not be expressed, one sentence each. */
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
      leftOut.push(`${point.name} has no value${labelsText(point)}`);
    } else if (hasTimes && Number.isNaN(point.at))
      leftOut.push(`${point.name} has no time${labelsText(point)}`);
    else for (const metric of metricsOf(point, point.value, hasTimes)) addTo(families, metric, leftOut);
  }
  leftOut.push(...hiddenRepeats(points, hasTimes));
  const sorted = [...families].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = sorted.map(([name, family]) => familyText(name, family, hasTimes)).join('');
  return { text: `${text}# EOF\n`, leftOut: [...new Set(leftOut)] };
}

/** A series has one value at a time: of tests with the same labels, such as seeds, only one is shown. */
function hiddenRepeats(points: readonly KpiPoint[], hasTimes: boolean): readonly string[] {
  const seen = new Set<string>();
  const hidden = new Map<string, number>();
  for (const { name, labels, at, value } of points) {
    const key = JSON.stringify([name, labels, hasTimes ? at : '']);
    if (value === null) continue;
    if (seen.has(key)) hidden.set(name, (hidden.get(name) ?? 0) + 1);
    seen.add(key);
  }
  const which = hasTimes ? 'labels and time' : 'labels';
  const help = hasTimes
    ? ''
    : ', the newest is shown; --timestamps shows all, --gather with JSON or CSV their mean';
  return [...hidden].map(
    ([name, count]) => `${count} values of ${name} have the same ${which} as another one${help}`,
  );
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

/** A sample cannot hold a list: its statistics are shown. */
function listMetrics(base: Omit<Metric, 'value'>, values: readonly number[]): readonly Metric[] {
  const { min, median, mean, max, n } = summarize(values);
  const p90 = quantile(values, 0.9);
  const statistics = Object.entries({ min, p50: median, mean, p90, max }).map(([name, value]) => ({
    ...base,
    labels: new Map([...base.labels, [STATISTIC, name]]),
    value,
  }));
  const count = { name: `${metricName(base.owner, '').name}_values`, unit: '' };
  return [...statistics, { ...base, metric: count, help: `${base.help} (number of values)`, value: n }];
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

/** A value whose time is unknown is older than all others. */
function time(at: number): number {
  return Number.isNaN(at) ? -Number.MAX_VALUE : at;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function labelsText({ labels }: KpiPoint): string {
  const pairs = [...metricLabels(labels)].map(([name, text]) => `${name}=${text}`);
  return pairs.length === 0 ? '' : ` at ${pairs.join(', ')}`;
}

/** A metric as OpenMetrics has it: its name ends in its unit. */
interface MetricName {
  readonly name: string;
  /** Empty when there is none. */
  readonly unit: string;
}

/** "tiny_memory" in MB is tiny_memory_megabytes. What a name must not have becomes "_"; see docs/reference/kpis.md. */
function metricName(kpi: string, unitText: string): MetricName {
  const name = legalName(kpi);
  const unit = metricUnit(unitText);
  if (unit === '' || name === unit || name.endsWith(`_${unit}`)) return { name, unit };
  return { name: `${name}_${unit}`, unit };
}

/** Labels with legal names and texts, sorted by name. Empty ones are left out: to Prometheus these are not there. */
function metricLabels(labels: JsonObject, reserved: readonly string[] = []): ReadonlyMap<string, string> {
  const taken = new Set(reserved);
  const legal: [string, string][] = [];
  for (const [name, value] of Object.entries(labels)) {
    const text = labelText(value);
    if (text === '') continue;
    let free = legalName(name).replace(/^_{2,}/, '_');
    while (taken.has(free)) free = `${free}_`;
    taken.add(free);
    legal.push([free, text]);
  }
  return new Map(legal.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function legalName(text: string): string {
  const name = text.replace(/[^a-zA-Z0-9_]/g, '_');
  return /^[a-zA-Z_]/.test(name) ? name : `_${name}`;
}

function labelText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The value stays as it is, so a unit is only spelt out, never changed into a base unit. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  ...{ s: 'seconds', sec: 'seconds', second: 'seconds', ms: 'milliseconds', us: 'microseconds' },
  ...{ µs: 'microseconds', μs: 'microseconds', ns: 'nanoseconds', min: 'minutes', h: 'hours', d: 'days' },
  ...{ B: 'bytes', byte: 'bytes', KB: 'kilobytes', kB: 'kilobytes', MB: 'megabytes', GB: 'gigabytes' },
  ...{ TB: 'terabytes', KiB: 'kibibytes', MiB: 'mebibytes', GiB: 'gibibytes', TiB: 'tebibytes' },
  ...{ '%': 'percent', W: 'watts', J: 'joules', V: 'volts', A: 'amperes', Hz: 'hertz', '°C': 'celsius' },
  ...{ req: 'requests', tok: 'tokens', token: 'tokens', op: 'operations', ops: 'operations' },
};

/** "req/s" is requests_per_second; a list of milliseconds ("ms list") has the unit of its values. */
function metricUnit(text: string): string {
  const [first = '', ...others] = text.replace(/\s+list$/, '').split(/\s*\/\s*/);
  const per = others.map((word) => `_per_${unitWord(word).replace(/s$/, '')}`);
  return `${unitWord(first)}${per.join('')}`.replace(/_{2,}/g, '_').replace(/^_|_$/g, '');
}

function unitWord(text: string): string {
  const word = text.trim();
  return (
    (Object.hasOwn(UNIT_WORDS, word) ? UNIT_WORDS[word] : undefined) ?? word.replace(/[^a-zA-Z0-9_]+/g, '_')
  );
}
