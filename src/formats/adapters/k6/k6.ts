import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { parseIsoTime } from '../../../platform/core/text/parse-date.ts';
import type { Format, FormatReading } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading-builder.ts';
import type { Better, SampleSet } from '../../core/sample.ts';

/** `k6 run --summary-export`, and what handleSummary gets: https://grafana.com/docs/k6 */
const k6: Format = {
  id: 'k6',
  title: 'k6 (--summary-export, handleSummary)',
  recognizes: (head) => (SHAPES.some((patterns) => patterns.every((one) => one.test(head))) ? 'sure' : 'no'),
  read: (text) => readRoot(parseResultJson(text, HINT)),
  readRuns(text) {
    const root = parseResultJson(text, HINT);
    const made = objectIn(objectIn(root)['metadata'])['generated_at'];
    const at = typeof made === 'string' ? parseIsoTime(made) : undefined;
    return [{ ...readRoot(root), ...(at !== undefined && { at }) }];
  },
};

export default k6;

const HINT = 'Use the file of "k6 run --summary-export FILE", or write the data of handleSummary as JSON.';

const SHAPES = [
  [
    /^\uFEFF?\s*\{/,
    /"root_group"\s*:\s*\{/,
    /"metrics"\s*:\s*\{/,
    /"(?:iterations|iteration_duration|vus|http_reqs|checks|data_sent)"\s*:\s*\{/,
  ],
  [/^\uFEFF?\s*\{/, /"k6_version"\s*:\s*"/, /"results"\s*:\s*\{/],
];

function readRoot(root: JsonValue): FormatReading {
  const { metrics } = objectIn(root);
  const entries = isJsonObject(metrics) ? Object.entries(metrics) : listedMetrics(objectIn(root));
  if (entries.length === 0)
    throw new NightmarkError('IMPORT_SHAPE', 'There are no "metrics".', { hint: HINT });
  const reading = createReading();
  for (const [name, metric] of entries) readMetric(name, metric, reading);
  return requireNumbers(reading.finish(), HINT);
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The machine-readable summary has lists, and of counters no rate. Its share of passed checks is that of the other files. */
function listedMetrics({ config, results }: JsonObject): readonly (readonly [string, JsonValue])[] {
  const { duration } = objectIn(config);
  const { metrics, checks } = objectIn(results);
  const list = (value: JsonValue | undefined) =>
    Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const passed = list(objectIn(checks)['metrics']).filter(
    (one) => objectIn(one)['name'] === 'checks_succeeded',
  );
  const named = list(metrics).map((metric, index): [string, JsonValue] => {
    const { name, type, values } = objectIn(metric);
    const { count } = objectIn(values);
    const isCounted = type === 'counter' && typeof count === 'number' && typeof duration === 'number';
    const rated = isCounted ? { ...objectIn(metric), values: { count, rate: count / duration } } : metric;
    return [typeof name === 'string' ? name : `metric ${index + 1}`, rated];
  });
  return [...named, ...passed.map((metric): [string, JsonValue] => ['checks', metric])];
}

function readMetric(fullName: string, metric: JsonValue, reading: ReadingBuilder): void {
  if (!isJsonObject(metric)) {
    reading.failed.push(`"${fullName}" is not an object`);
    return;
  }
  const { name, settings } = nameOf(fullName);
  // What the test was set to.
  if (name === 'vus' || name === 'vus_max') return;
  const values = isJsonObject(metric['values']) ? metric['values'] : metric;
  const unit = unitOf(name, metric);
  const better = directionOf(name, metric['thresholds'], unit);
  const statistics = statisticsOf(values);
  if (statistics.length === 0) reading.skipped.push(`${fullName} has no statistic that is read`);
  for (const [statistic, of] of statistics) {
    const value = values[statistic];
    const key = {
      benchmark: [name],
      settings,
      metric: of.metric,
      unit: of.isPerSecond ? `${unit || '1'}/s` : unit,
    };
    const where = () => `${fullName}: ${statistic}`;
    if (typeof value === 'number') reading.set({ ...key, better })(value, where);
    else reading.failed.push(`${where()} is not a number`);
  }
}

/** A metric of some requests alone is named "http_req_duration{name:login,method:GET}". */
function nameOf(full: string): { readonly name: string; readonly settings: SampleSet['settings'] } {
  const [, name, tags] = /^([^{]+)\{(.*)\}$/.exec(full) ?? [];
  if (name === undefined || tags === undefined) return { name: full, settings: {} };
  const pairs = tags.split(',').map((tag) => {
    const at = tag.indexOf(':');
    return at < 0 ? [tag.trim(), true] : [tag.slice(0, at).trim(), tag.slice(at + 1).trim()];
  });
  return { name, settings: Object.fromEntries(pairs) as SampleSet['settings'] };
}

interface Statistic {
  readonly metric: string;
  readonly isPerSecond?: true;
}

/**
 * What a metric is shows in its keys: the old file has no types. How often a thing was counted depends on how long the test
 * ran, and is not read; its rate is.
 */
function statisticsOf(values: JsonObject): readonly (readonly [string, Statistic])[] {
  const isShare = ('passes' in values && 'fails' in values) || 'matches' in values;
  if (isShare) return [['rate' in values ? 'rate' : 'value', { metric: 'rate' }]];
  if ('rate' in values) return [['rate', { metric: 'rate', isPerSecond: true }]];
  if ('value' in values) return [['value', { metric: 'value' }]];
  const isStatistic = (key: string) => /^(?:avg|min|med|max|p\(?[\d.]+\)?)$/.test(key);
  return Object.keys(values)
    .filter(isStatistic)
    .map((key) => [key, { metric: key.replace(/^p\((.*)\)$/, 'p$1') }]);
}

/** Trends of k6 itself, all in milliseconds; the old file does not say so of others. */
const OWN_TIMES = /^(?:http_req_|grpc_req_|ws_(?:connecting|session)|iteration_duration|group_duration)/;

function unitOf(name: string, metric: JsonObject): string {
  const contains = metric['contains'];
  if (contains === 'time' || (contains === undefined && OWN_TIMES.test(name) && 'avg' in metric)) return 'ms';
  if (contains === 'data' || name === 'data_sent' || name === 'data_received') return 'B';
  return '';
}

const DIRECTIONS = new Map<string, Better>([
  ['http_req_failed', 'lower'],
  ['dropped_iterations', 'lower'],
  ['checks', 'higher'],
  ['http_reqs', 'higher'],
  ['iterations', 'higher'],
  // As long as the script keeps it open.
  ['ws_session_duration', 'unknown'],
]);

/** Of metrics of the user a threshold says it: what has to stay below a limit is better lower. */
function directionOf(name: string, thresholds: JsonValue | undefined, unit: string): Better {
  const known = DIRECTIONS.get(name);
  if (known !== undefined) return known;
  if (unit === 'ms') return 'lower';
  const signs = new Set(
    Object.keys(isJsonObject(thresholds) ? thresholds : {}).flatMap((one) => /[<>]/.exec(one)?.[0] ?? []),
  );
  if (signs.size !== 1) return 'unknown';
  return signs.has('<') ? 'lower' : 'higher';
}
