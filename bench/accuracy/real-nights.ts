import { readFileSync } from 'node:fs';
import { findChanges } from '../../src/judge/core/levels/find-changes.ts';
import type { Nights } from './nights.ts';

/** Residuals of public benchmark histories around their levels, in their order; every second one, or the others. */
export function realResiduals(half: 0 | 1): readonly Float64Array[] {
  const file = new URL('../../../bench/data/benchmark-histories.json', import.meta.url);
  const histories = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly number[]>;
  return Object.values(histories)
    .filter((_, place) => place % 2 === half)
    .map(residualsOf);
}

/** Stretches of 25 values in a row, drawn from any of the series: what is next to each other stays so. */
export function resampled(series: readonly Float64Array[], random: () => number): Nights {
  const draw = (count: number) => {
    const residuals = series[Math.floor(random() * series.length)] ?? new Float64Array(1);
    const values = new Float64Array(count);
    let from = 0;
    for (let place = 0; place < count; place++) {
      // The newest value continues the block: alarms at a seam would be made by the benchmark.
      if (place % BLOCK === 0) from = Math.floor(random() * Math.max(1, residuals.length - BLOCK - 1));
      values[place] = residuals[(from + (place % BLOCK)) % residuals.length] ?? 1;
    }
    return values;
  };
  return { name: 'real histories', draw };
}

const BLOCK = 25;

/** Parts of their level: 1.02 is 2 % above it. */
function residualsOf(history: readonly number[]): Float64Array {
  const values = Float64Array.from(history).filter(Number.isFinite);
  const { levels } = findChanges({ values });
  const parts = new Float64Array(values.length);
  for (const { start, end, value } of levels)
    for (let place = start; place < end; place++) parts[place] = (values[place] ?? value) / value;
  return parts;
}
