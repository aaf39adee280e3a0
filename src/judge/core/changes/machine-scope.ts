import type { JudgedSeries } from '../../../home/core/changes/change.ts';

/** What a slower or faster machine moves together: times and rates, or values of one unit. */
export function machineMeasure(series: JudgedSeries, unit: string): string | undefined {
  if (series.kind === 'machine') return undefined;
  if (TIME.test(unit) || RATE.test(unit)) return 'speed';
  return unit === '' ? 'values' : unit;
}

/** Series that are statistics of the same measurement: together they have one voice in what a machine did. */
export function benchmarkOf(series: JudgedSeries): string {
  if (series.kind !== 'value') return JSON.stringify(series);
  const own = series.path.slice(0, series.path.findLastIndex((part) => !STATISTIC.test(part)) + 1);
  return JSON.stringify([series.experiment, ...own]);
}

const TIME = /^(?:ns|us|µs|μs|ms|s|sec|seconds?|min|minutes?|h|hours?)$/i;
const RATE = /(?:\/|per )\s*(?:ns|us|µs|μs|ms|s|sec|seconds?|min|minutes?|h|hours?)$|^hz$/i;
const STATISTIC =
  /^(?:mean|avg|average|median|min|minimum|max|maximum|std|stdev|stddev|sd|var|variance|mad|iqr|p\d{1,2}(?:[._]\d+)?|q[0-4]|total|sum|lower|upper|low|high|ci.*|user|system|sys|real|wall)$/i;
