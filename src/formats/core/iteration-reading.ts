import type { FormatReading, IterationReading } from './format.ts';
import { type AddValue, createReading } from './reading-builder.ts';

/** Offsets are doubles: whole nanoseconds up to here, 104 days; a second is left for sums with another. */
export const MAX_OFFSET_NS = 2 ** 53 - 1e9;

/** Collects the iterations of one file, then makes columns of them. */
export interface IterationList {
  readonly failed: string[];
  readonly notes: string[];
  /** `start` counts from the origin of the list; undefined where the harness does not report it. */
  add(number: number, start: number | undefined, time: number): void;
  finish(more: Pick<IterationReading, 'originNs' | 'clock' | 'extra'>): IterationReading;
}

export function createIterationList(): IterationList {
  const numbers: number[] = [];
  const starts: number[] = [];
  const times: number[] = [];
  const failed: string[] = [];
  const notes: string[] = [];
  return {
    failed,
    notes,
    add(number, start, time) {
      numbers.push(number);
      times.push(time);
      if (start !== undefined) starts.push(start);
    },
    finish(more) {
      // With gaps the starts cannot be matched with iterations: they are dropped.
      const hasStarts = starts.length === numbers.length && numbers.length > 0;
      const timestamps = hasStarts
        ? {
            starts: Float64Array.from(starts),
            ends: Float64Array.from(starts, (start, index) => start + (times[index] ?? 0)),
          }
        : {};
      return {
        numbers: Int32Array.from(numbers),
        times: Float64Array.from(times),
        ...timestamps,
        ...more,
        failed,
        notes,
      };
    },
  };
}

/** Why a time or an offset in nanoseconds cannot be used; undefined when it can. */
export function nsProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'not a number';
  return Math.abs(value) < MAX_OFFSET_NS ? undefined : 'more than 104 days';
}

/** The times of iterations as samples, for nights and imports: benchmarks by the column of that name. */
export function iterationSamples({ times, extra, failed }: IterationReading): FormatReading {
  const reading = createReading();
  const names = extra.get('benchmark');
  const adders = new Map<string, AddValue>();
  for (const [index, time] of times.entries()) {
    const name = names?.[index] ?? '';
    const benchmark = name === '' ? [] : [name];
    const add = adders.get(name) ?? reading.set({ benchmark, metric: 'time', unit: 'ns', better: 'lower' });
    adders.set(name, add);
    add(time, () => `iteration ${index + 1}`);
  }
  return { samples: reading.finish().samples, failed, skipped: [] };
}

/**
 * A decimal number with `digits` more places, as a whole number: "1654092292.28303" seconds with 9 are nanoseconds, none
 * lost. What is finer is rounded. Undefined when it is not a number.
 */
export function decimalNs(text: string, digits: number): bigint | undefined {
  const trimmed = text.trim();
  const found = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(trimmed);
  if (!found) return fromDouble(trimmed, digits);
  const [, sign, whole = '', fraction = ''] = found;
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = (fraction[digits] ?? '0') >= '5' ? kept + 1n : kept;
  return sign === '-' ? -rounded : rounded;
}

/** 1.794769700745e+18 was a double when it was written. */
function fromDouble(text: string, digits: number): bigint | undefined {
  if (!/^[+-]?[\d.]+e[+-]?\d+$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value)
    ? BigInt(value) * 10n ** BigInt(digits)
    : BigInt(Math.round(value * 10 ** digits));
}
