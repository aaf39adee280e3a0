import type { SeriesValue } from '../../formats/core/sample.ts';
import type { Better } from '../../home/core/changes/change.ts';
import type { Judgement } from '../../stats/verdict.ts';

/** What is compared: the time of the command from start to end, or a value that its run reports. */
export type BisectMetric =
  | { readonly type: 'wall' }
  | {
      readonly type: 'value';
      /** As that of its series. */
      readonly path: readonly string[];
      readonly unit: string;
      readonly better: Better;
    };

/** A request before the first run: a metric, a name to be resolved with the results, or the only one. */
export type MetricRequest =
  | BisectMetric
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'only' };

/** Name of the time of the command in options. */
export const WALL_NAME = 'wall';

/** "cpu/A", or the time of the command. */
export function metricText(metric: BisectMetric): string {
  return metric.type === 'wall' ? 'time of the command' : metric.path.join('/');
}

/** Whether a name means this value: its path, or experiment and path, as lists show it. */
export function isMetricNamed(
  { experiment, path }: Pick<SeriesValue, 'experiment' | 'path'>,
  name: string,
): boolean {
  const text = path.join('/');
  return text === name || `${experiment}/${text}` === name;
}

/** "higher, which is worse": what a ratio means in this metric. */
export function metricChange(metric: BisectMetric, ratio: number): string {
  if (metric.type === 'wall') return ratio >= 1 ? 'slower' : 'faster';
  const word = ratio >= 1 ? 'higher' : 'lower';
  if (metric.better === 'unknown') return word;
  return `${word}, which is ${(metric.better === 'higher') === ratio >= 1 ? 'better' : 'worse'}`;
}

/** A judgement of ratios in terms of the metric: slower is worse. Without a direction slower only means higher. */
export function judgedIn(metric: BisectMetric, judgement: Judgement): Judgement {
  const isHigherBetter = metric.type === 'value' && metric.better === 'higher';
  const { verdict } = judgement;
  if (!isHigherBetter || (verdict !== 'faster' && verdict !== 'slower')) return judgement;
  return { ...judgement, verdict: verdict === 'faster' ? 'slower' : 'faster' };
}
