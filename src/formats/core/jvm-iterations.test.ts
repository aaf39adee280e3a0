import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampTexts } from '../../duet/core/table/iteration-table.ts';
import { readJvmIterations } from './jvm-iterations.ts';

test('fractions of milliseconds are kept to the nanosecond', () => {
  const text = 'iteration_time_ns,start_unix\n10,1656262677123.456789\n20,1656262677124\n';
  const { starts, originNs } = readJvmIterations(text);
  assert.deepEqual(timestampTexts(originNs, starts ?? Float64Array.of()), [
    '1656262677123456789',
    '1656262677124000000',
  ]);
});

test('without any column of timestamps there are none, and a note says so', () => {
  const { starts, numbers, notes } = readJvmIterations('iteration_time_ns,heap\n10,1\n20,2\n');
  assert.equal(starts, undefined);
  assert.deepEqual(numbers, Int32Array.of(1, 2));
  assert.deepEqual(notes, ['it has neither "start_unix" nor "total_ms": iterations have no timestamps']);
});

test('timestamps have all their digits, on both sides of 1970 and of a second', () => {
  assert.deepEqual(timestampTexts(1_999_999_999n, Float64Array.of(0, 1, 2, -1_999_999_999, -2_000_000_000)), [
    '1999999999',
    '2000000000',
    '2000000001',
    '0',
    '-1',
  ]);
  assert.deepEqual(timestampTexts(-5n, Float64Array.of(3)), ['-2']);
  assert.deepEqual(timestampTexts(1656262677000000000n, Float64Array.of(5, 2 ** 53 - 1e9 - 1)), [
    '1656262677000000005',
    String(1656262677000000000n + BigInt(2 ** 53 - 1e9 - 1)),
  ]);
});

test('duplicate names of columns become unique', () => {
  const { extra } = readJvmIterations('iteration_time_ns,a,a,\n10,1,2,3\n');
  assert.deepEqual(
    [...extra],
    [
      ['a', ['1']],
      ['a (3)', ['2']],
      ['column 4', ['3']],
    ],
  );
});
