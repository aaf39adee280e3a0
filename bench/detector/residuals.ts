import { readFileSync } from 'node:fs';
import { median } from '../../src/stats/summary.ts';
import { fitLevels } from './fit-levels.ts';

export interface History {
  readonly name: string;
  readonly values: Float64Array;
}

/** What is left of a history when its level is taken out: value / level, so around 1. */
export interface Residuals {
  readonly name: string;
  readonly ratios: Float64Array;
}

/** 100 real histories without labels: nobody knows which of their steps are real. */
export function readHistories(): readonly History[] {
  const file = new URL('../../../bench/data/benchmark-histories.json', import.meta.url);
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number[]>;
  return Object.entries(all).map(([name, values]) => ({ name, values: Float64Array.from(values) }));
}

/** How the level of a history is taken out of it. */
export type Detrending =
  /** By levels fitted with another method than the detector: see fitLevels. */
  | { readonly price: number }
  /** By a running median, which follows a step without rounding it off. A wide window leaves stretches shorter than half of it in. */
  | { readonly window: number };

/** Fitting levels is slow, and all sizes of steps want the same ones. */
export function residualsOf(history: History, detrending: Detrending): Residuals {
  const key = `${history.name} ${JSON.stringify(detrending)}`;
  const old = known.get(key);
  if (old !== undefined) return old;
  const fresh = takeOut(history, detrending);
  known.set(key, fresh);
  return fresh;
}

const known = new Map<string, Residuals>();

function takeOut({ name, values }: History, detrending: Detrending): Residuals {
  const levels =
    'price' in detrending
      ? fitLevels(values.map(Math.log), detrending.price).map(Math.exp)
      : runningMedian(values, detrending.window);
  return { name, ratios: values.map((value, index) => value / (levels[index] ?? 1)) };
}

function runningMedian(values: Float64Array, window: number): Float64Array {
  return values.map((_, index) => {
    const from = Math.max(0, Math.min(index - (window >> 1), values.length - window));
    return median(values.subarray(from, Math.min(values.length, from + window)));
  });
}
