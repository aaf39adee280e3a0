import type { FormatReading } from './format.ts';
import { createReading, type ReadingBuilder, requireNumbers } from './reading-builder.ts';
import type { SampleSet } from './sample.ts';

/** What was under load, as the file names it, and with which settings. */
export interface LoadTarget {
  readonly benchmark: readonly string[];
  readonly settings?: SampleSet['settings'];
}

/** What load generators report of one target. All of them share names, units and directions. */
export interface LoadReading {
  readonly builder: ReadingBuilder;
  /** Requests in a second. */
  throughput(target: LoadTarget, value: number): void;
  /** Bytes received in a second, in the unit of the file. */
  transfer(target: LoadTarget, value: number, unit: string): void;
  /** One statistic over all requests: "mean", "min", "max", or a percentile as `percentile` names it. */
  latency(
    target: LoadTarget,
    statistic: string,
    time: { readonly value: number; readonly unit: string },
  ): void;
  /** The share of requests that failed. */
  errorRate(target: LoadTarget, failed: number, requests: number): void;
  finish(hint: string): FormatReading;
}

export function createLoadReading(): LoadReading {
  const builder = createReading();
  const add = (target: LoadTarget, metric: string, better: 'lower' | 'higher', unit: string, value: number) =>
    builder.set({ ...target, metric, unit, better })(value, () => [...target.benchmark, metric].join(', '));
  return {
    builder,
    throughput: (target, value) => add(target, 'throughput', 'higher', '1/s', value),
    transfer: (target, value, unit) => add(target, 'transfer', 'higher', unit, value),
    latency: (target, statistic, { value, unit }) =>
      add(target, `latency/${statistic}`, 'lower', unit, value),
    errorRate(target, failed, requests) {
      if (requests > 0) add(target, 'error-rate', 'lower', '', failed / requests);
    },
    finish: (hint) => requireNumbers(builder.finish(), hint),
  };
}

/** "95", "99.9" and "95%" are "p95", "p99.9" and "p95"; all of the requests are below the maximum. */
export function percentile(text: string): string {
  const number = Number(text.replace('%', ''));
  return number === 100 ? 'max' : `p${number}`;
}
