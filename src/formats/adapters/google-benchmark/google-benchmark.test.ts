import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opinionOf } from '../../core/format.ts';
import googleBenchmark from './google-benchmark.ts';

function read(...benchmarks: unknown[]) {
  return googleBenchmark.read(JSON.stringify({ context: {}, benchmarks }), {});
}

const iteration = { name: 'BM_a', run_name: 'BM_a', run_type: 'iteration', real_time: 8, cpu_time: 4 };

test('every time unit becomes seconds, nanoseconds without one', () => {
  for (const [time_unit, expected] of [
    ['ns', 8e-9],
    ['us', 8e-6],
    ['ms', 0.008],
    ['s', 8],
    [undefined, 8e-9],
  ]) {
    const { samples } = read({ ...iteration, time_unit });
    assert.deepEqual(samples[0]?.values, [expected]);
    assert.equal(samples[0]?.unit, 's');
  }
});

test('a unit that is not known fails both times but not the counters', () => {
  const { samples, failed } = read({ ...iteration, time_unit: 'ticks', misses: 3 });
  assert.deepEqual(
    samples.map(({ metric, values }) => [metric, values]),
    [['misses', [3]]],
  );
  assert.deepEqual(failed, [
    'BM_a: real_time is in an unknown unit "ticks"',
    'BM_a: cpu_time is in an unknown unit "ticks"',
  ]);
});

test('what the library counts has a unit and a direction', () => {
  const { samples } = read({
    ...iteration,
    bytes_per_second: 1,
    items_per_second: 2,
    max_bytes_used: 3,
    x: 4,
  });
  assert.deepEqual(
    samples.slice(2).map(({ metric, unit, better }) => [metric, unit, better]),
    [
      ['bytes_per_second', 'B/s', 'higher'],
      ['items_per_second', '1/s', 'higher'],
      ['max_bytes_used', 'B', 'lower'],
      ['x', '', 'unknown'],
    ],
  );
});

test('an entry without times or name is counted as failed', () => {
  const { samples, failed } = read({ name: 'BM_b', run_type: 'iteration' }, { real_time: 1 }, null, 3);
  assert.deepEqual(samples, []);
  assert.deepEqual(failed, [
    'entry 2 has no "name"',
    'entry 3 has no "name"',
    'entry 4 has no "name"',
    'BM_b: real_time is not a number',
    'BM_b: cpu_time is not a number',
  ]);
});

test('an error keeps its message, and its aggregates do not stand in for it', () => {
  const { samples, failed, skipped } = read(
    { ...iteration, error_occurred: true, error_message: 'out of memory' },
    { ...iteration, name: 'BM_a_mean', run_type: 'aggregate', aggregate_name: 'mean' },
  );
  assert.deepEqual(samples, []);
  assert.deepEqual(failed, ['BM_a: out of memory']);
  assert.deepEqual(skipped, ['BM_a_mean is an aggregate (mean)']);
});

test('complexities are aggregates that give no value', () => {
  const { samples, skipped } = read(
    iteration,
    { name: 'BM_a_BigO', run_name: 'BM_a', run_type: 'aggregate', aggregate_name: 'BigO', big_o: 'N' },
    { name: 'BM_b_RMS', run_name: 'BM_b', run_type: 'aggregate', aggregate_name: 'RMS', rms: 0.1 },
  );
  assert.equal(samples.length, 2);
  assert.deepEqual(skipped, ['BM_a_BigO is an aggregate (BigO)', 'BM_b_RMS is an aggregate (RMS)']);
});

test('files of other tools with "benchmarks" are not taken for it', () => {
  assert.equal(opinionOf(googleBenchmark, '{"machine_info": {}, "benchmarks": []}'), 'no');
  assert.equal(opinionOf(googleBenchmark, '{"context": {}, "benchmarks": []}'), 'no');
});
