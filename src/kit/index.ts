/** What experiments may import from "nightmark/metrics". */
export type { LineFields, LineTags, LineValue } from '../core/lines/format-line.ts';
export type { MetricCounts } from './line-queue.ts';
export { metricId } from './metric-id.ts';
export { int, type LogOptions, Metrics, type MetricsOptions } from './metrics.ts';
