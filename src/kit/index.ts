/** What experiments may import from "nightmark/metrics". */

export type { MetricCounts } from '../metrics/client/line-queue.ts';
export type { LineFields, LineTags, LineValue } from '../metrics/core/lines/format-line.ts';
export { int, type LogOptions, Metrics, type MetricsOptions, metricId } from './metrics.ts';
