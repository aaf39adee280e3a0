import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asMeasured,
  benchmarkOf,
  type MachineStep,
  machineMeasure,
  stepsTaken,
  withoutSteps,
} from './machine-part.ts';

function withoutMachineSteps(
  series: { values: Float64Array; times: Float64Array; better: 'lower' | 'higher' },
  steps: readonly MachineStep[],
): Float64Array {
  return withoutSteps(series.values, stepsTaken(series, steps));
}

const times = Float64Array.from({ length: 8 }, (_, at) => at);
const steps = [{ at: 4, factor: 1.25 }];

test('values before a step of the machine are moved by it, the newest stay as measured', () => {
  const values = Float64Array.of(8, 8, 8, 8, 10, 10, 10, 10);
  assert.deepEqual([...withoutMachineSteps({ values, times, better: 'lower' }, steps)], Array(8).fill(10));
  const rates = Float64Array.of(10, 10, 10, 10, 8, 8, 8, 8);
  assert.deepEqual(
    [...withoutMachineSteps({ values: rates, times, better: 'higher' }, steps)],
    Array(8).fill(8),
  );
});

test('a machine that came back leaves values as they are', () => {
  const values = Float64Array.of(8, 8, 8, 10, 10, 8, 8, 8);
  const twice = [
    { at: 3, factor: 1.25 },
    { at: 5, factor: 0.8 },
  ];
  assert.deepEqual([...withoutMachineSteps({ values, times, better: 'lower' }, twice)], Array(8).fill(8));
});

test('a series that stood still is left alone, one that moved further keeps the rest', () => {
  const still = Float64Array.of(8, 8, 8, 8, 8, 8, 8, 8);
  assert.equal(withoutMachineSteps({ values: still, times, better: 'lower' }, steps), still);
  const further = Float64Array.of(8, 8, 8, 8, 12, 12, 12, 12);
  const left = withoutMachineSteps({ values: further, times, better: 'lower' }, steps);
  assert.deepEqual([...left], [10, 10, 10, 10, 12, 12, 12, 12]);
});

test('a step before the first value, or after the last, moves nothing; gaps stay gaps', () => {
  const values = Float64Array.of(8, Number.NaN, 8, 8, Number.NaN, 10, 10, 10);
  const moved = withoutMachineSteps({ values, times, better: 'lower' }, steps);
  assert.deepEqual([moved[0], moved[1], moved[4], moved[7]], [10, Number.NaN, Number.NaN, 10]);
  for (const at of [-1, 0, 99])
    assert.equal(withoutMachineSteps({ values, times, better: 'lower' }, [{ at, factor: 2 }]), values);
});

test('times and rates are one measure, and statistics of one measurement have one voice', () => {
  const series = (...path: string[]) => ({ kind: 'value', experiment: 'sort', path }) as const;
  const measures = ['ms', 's', 'op/s', 'MB per second'].map((unit) => machineMeasure(series('a'), unit));
  assert.deepEqual(measures, ['speed', 'speed', 'speed', 'speed']);
  assert.deepEqual([machineMeasure(series('a'), 'B'), machineMeasure(series('a'), '')], ['B', 'values']);
  assert.equal(machineMeasure({ kind: 'kpi', name: 'x', labels: {} }, 's'), 'speed');
  assert.equal(machineMeasure({ kind: 'machine', machine: 'x', measure: 'speed' }, ''), undefined);
  const voices = [series('a', 'mean'), series('a', 'p99'), series('a'), series('b', 'mean')].map(benchmarkOf);
  assert.deepEqual(
    [voices[0] === voices[1], voices[0] === voices[2], voices[0] === voices[3]],
    [true, true, false],
  );
  assert.equal(benchmarkOf(series('mean')), benchmarkOf(series('max')));
  assert.equal(benchmarkOf(series('command', 'wall')), benchmarkOf(series('command', 'cpu')));
});

test('a level over a step of the machine is drawn as two, at the values that were measured', () => {
  const level = { start: 0, end: 8, value: 10, scale: 1, count: 8 };
  const parts = asMeasured([level], [{ index: 4, factor: 1.25 }]);
  assert.deepEqual(
    parts.map(({ start, end, value, count }) => [start, end, value, count]),
    [
      [0, 4, 8, 4],
      [4, 8, 10, 4],
    ],
  );
});
