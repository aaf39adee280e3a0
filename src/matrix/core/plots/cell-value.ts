import { mean, momentsOf } from '../../../stats/summary.ts';

/** What a cell of the table becomes on the chart. */
export interface CellValue {
  readonly mean: number;
  /** Sample deviation; 0 unless there are more than two values, as the old plots have it. */
  readonly deviation: number;
  readonly count: number;
}

/** "tests": each test counts once, by its mean; "samples": every measured number counts. */
export type Pooling = 'tests' | 'samples';

export function cellValue(tests: readonly (readonly number[])[], pooling: Pooling): CellValue {
  const values = (pooling === 'tests' ? tests.map((list) => mean(list)) : tests.flat()).filter(
    Number.isFinite,
  );
  if (values.length === 0) return { mean: Number.NaN, deviation: Number.NaN, count: 0 };
  const deviation = values.length > 2 ? momentsOf(values).deviation : 0;
  return { mean: mean(values), deviation, count: values.length };
}
